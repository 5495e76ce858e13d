#include "run/prepared_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/option_rules.h"
#include "base/options_json.h"
#include "base/suggestion.h"
#include "base/text_stream.h"
#include "data/fingerprint.h"
#include "data/tables/table_means.h"
#include "data/transforms/refit_transforms.h"
#include "data/transforms/splits.h"
#include "geniepath/error.h"
#include "training/evaluation.h"
#include "training/neighbour_sampler.h"

namespace geniepath {
namespace {

// An Error for tables without labels that says where they might be, or with a single one.
void check_labels(const RunDescription& run) {
  if (run.schema.classes.size() == 1 && run.schema.task == Task::kMultiClass) {
    fail("tables: every label in column '", run.tables.label_column, "' is '", run.schema.classes[0],
         "', expected two classes or more");
  }
  if (run.data.data != "tables" || !run.schema.classes.empty()) return;
  if (run.tables.nodes.empty()) fail("tables: no labelled node, as labels are a column of a node table (--nodes)");
  std::vector<std::string> columns;
  for (const TableSchema::Table& table : run.schema.tables) {
    columns.insert(columns.end(), table.numbers.begin(), table.numbers.end());
    for (const TableSchema::Categories& column : table.one_hot) columns.push_back(column.column);
    columns.insert(columns.end(), table.left_out.begin(), table.left_out.end());
  }
  fail("tables: no labelled node, as no column '", run.tables.label_column,
       "' holds labels; --label-column names the right one of: ", listed(columns),
       did_you_mean(run.tables.label_column, columns));
}

// Tables of ids and labels alone.
bool lacks_columns(const RunDescription& run, const Dataset& raw) {
  return run.data.data == "tables" && raw.features.num_features() == 0 &&
         run.transforms.node_features == NodeFeatures::kGiven;
}

// Where labels are known to lie further away than the model reaches.
void note_labels_out_of_reach(PreparedRun& made) {
  const std::vector<uint8_t>& length = made.data.path_length;
  const ModelConfig& model = made.description.model;
  if (length.empty() || !model.model.starts_with("geniepath")) return;
  const int64_t longest = *std::ranges::max_element(length);
  if (longest <= model.depth) return;
  made.notes.push_back("labels lie up to " + std::to_string(longest) + " steps away, further than --depth " +
                       std::to_string(model.depth) + " reaches");
}

Dataset loaded(const RunRequest& request, RunDescription& run) {
  if (!request.written) return load_dataset(run.data, run.tables, run.schema);
  run.data.check();
  const std::vector<std::string>& columns = request.written->columns();
  if (!columns.empty()) run.schema.tables.emplace_back().numbers = columns;
  return request.written->take_data();
}

}  // namespace

PreparedRun prepare_run(const RunRequest& request) {
  PreparedRun made = run::prepare_but_values(request);
  made.data.features = transformed_values(made.data.features, made.fitted);
  return made;
}

namespace run {

PreparedRun prepare_but_values(const RunRequest& request) {
  PreparedRun made;
  RunDescription& run = made.description;
  static_cast<Recipe&>(run) = request.recipe;
  run.data = request.data, run.tables = request.tables;
  choose_objective(run);
  made.raw = loaded(request, run);
  check_labels(run);
  choose_model(made, made.raw.features.num_features(), request);
  run.fingerprint = fingerprint(made.raw);
  run.transforms = request.transforms ? request.transforms(made.raw) : usual_transforms(made.raw);
  if (is_walk_model(run.model.model)) use_node_ids(run.transforms);
  if (lacks_columns(run, made.raw)) {
    use_node_ids(run.transforms);
    made.notes.push_back(made.raw.name +
                         " has no feature columns: nodes are told apart by their ids (--node-features)");
  }
  if (const SplitKind split = applied_split(made.raw, run.transforms.split); split != run.transforms.split) {
    made.notes.push_back(made.raw.name + " has no training, validation or test nodes: they are drawn (--split)");
    run.transforms.split = split;
  }
  prepare_all_but_values(made);
  adapt_to_labels(made, static_cast<int64_t>(made.data.train.size()), request);
  note_labels_out_of_reach(made);
  return made;
}

namespace {

// Names and values of the options that the number of labels decides on.
std::vector<std::pair<const char*, double>> regularisation(const Recipe& recipe) {
  return {{"dropout", recipe.model.dropout},
          {"input-dropout", recipe.model.input_dropout},
          {"l2", recipe.train.l2},
          {"weight-decay", recipe.train.weight_decay}};
}

// Whether features are a user's own columns, by name: of tables, or of a graph file made from tables or a data frame.
bool has_own_columns(const RunDescription& run) {
  return run.data.data == "tables" ? !run.tables.nodes.empty() : !run.schema.tables.empty();
}

// The options of `now` that were different before: "l2 0.001, weight-decay 0".
std::string changed_options(const Recipe& before, const Recipe& now) {
  const auto options = regularisation(now), others = regularisation(before);
  TextStream out;
  const char* separator = "";
  for (size_t n = 0; n < options.size(); ++n) {
    if (options[n] == others[n]) continue;
    out << separator << options[n].first << " " << options[n].second;
    separator = ", ";
  }
  return out.str();
}

// Tables do not say which nodes are for training if the split is drawn.
void fill_with_training_means(PreparedRun& made) {
  RunDescription& run = made.description;
  if (run.data.data != "tables" || run.tables.missing != Missing::kMean || run.transforms.split == SplitKind::kGiven)
    return;
  Dataset split = made.raw;
  draw_split(split, run.transforms);
  learn_means(split.train, run.schema, made.raw);
  if (run.unfilled_fingerprint.empty()) run.unfilled_fingerprint = run.fingerprint;
  run.fingerprint = fingerprint(made.raw);
}

}  // namespace

// `geniepath` has to carry a node's own features through every hop's mean over neighbours, and falls behind an MLP where
// they decide (docs/training.md).
void choose_model(PreparedRun& made, int64_t columns, const RunRequest& request) {
  RunDescription& run = made.description;
  if (columns == 0 || !has_own_columns(run) || !request.keep_given || run.model.model != ModelConfig().model) return;
  if (run.train.objective != Objective::kLabels) return;
  Recipe usual = run;
  usual.model.model = "geniepath-lazy";
  usual.model.residual = Residual::kHop;
  request.keep_given(usual);
  if (usual.model.model == run.model.model) return;  // chosen on purpose
  static_cast<Recipe&>(run) = usual;
  made.notes.push_back("tables with columns: unless set, --model " + usual.model.model + " --residual " +
                       std::string(to_string(usual.model.residual)));
}

void adapt_to_labels(PreparedRun& made, int64_t training_nodes, const RunRequest& request) {
  RunDescription& run = made.description;
  if (is_walk_model(run.model.model) || run.train.objective == Objective::kWalks) return;
  const Recipe before = run;
  const std::string why = set_few_label_defaults(run, {run.task, run.classes, run.features, training_nodes});
  if (request.keep_given) request.keep_given(run);
  const std::string changed = changed_options(before, run);
  if (!changed.empty()) made.notes.push_back(made.data.name + " has " + why + ": unless set, " + changed);
}

// An unsupervised model learns without labels, and its output layer is a regression with biases.
void choose_objective(RunDescription& run) {
  if (run.tables.task == TableTask::kUnsupervised) {
    run.tables.task = TableTask::kAuto;
    run.train.objective = Objective::kWalks;
  }
  if (run.train.objective == Objective::kWalks) run.model.bias = true;
}

void prepare_data(PreparedRun& made) {
  prepare_all_but_values(made);
  made.data.features = transformed_values(made.data.features, made.fitted);
}

void prepare_all_but_values(PreparedRun& made) {
  RunDescription& run = made.description;
  training::parse_fan_out(run.train.fan_out, "fan-out");  // an Error before anything is written
  fill_with_training_means(made);
  made.fitted = refit_transforms(made.raw, run.transforms, made.fitted);
  made.data = apply_all_but_values(made.raw, made.fitted);
  if (made.data.train.empty()) fail(made.data.name, ": no labelled training node");
  training::check_metric(run.train, made.data);
  run.task = made.data.task;
  run.features = made.data.features.num_features();
  run.classes = made.data.num_classes;
  run.class_names = made.data.class_names;
}

std::string config_text(const RunDescription& run) {
  TextStream out;
  const OptionRules rules({&run.data, &run.tables, &run.transforms, &run.model, &run.train, &run.walk});
  const auto add = [&](const Options& options) {
    const nlohmann::ordered_json object = to_json(options);
    for (const auto& [key, value] : object.items()) {
      if (value != "" && rules.obstacle(key).empty()) out << key << " = " << value.dump() << "\n";
    }
  };
  add(run.data);
  if (run.data.data == "tables") add(run.tables);
  add(run.transforms);
  add(run.model);
  add(run.train);
  add(run.walk);
  return out.str();
}

}  // namespace run
}  // namespace geniepath
