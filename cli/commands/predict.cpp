#include <ATen/ATen.h>

#include <iostream>

#include "arguments/class_names.h"
#include "arguments/output_file.h"
#include "arguments/run_arguments.h"
#include "base/file.h"
#include "base/noun.h"
#include "commands/commands.h"
#include "report/node_facts.h"
#include "report/prediction_table.h"
#include "run/run_threshold.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

void say_threshold(const RunDescription& run, const Dataset& data, double threshold) {
  if (run.task == Task::kMultiClass) return;
  if (run.task == Task::kMultiLabel && chosen_protocol(run.train, data) == Protocol::kLabelCount) {
    std::cerr << "the run was scored with the true number of labels per node, which is unknown here\n";
  }
  std::cerr << "predictions are those above " << threshold
            << (threshold == 0.5 ? "" : ", the threshold tuned on validation nodes") << "\n";
}

bool has_label(const Dataset& data) {
  if (data.task == Task::kMultiLabel) return !data.labels.isnan().all().item<bool>();
  return data.labels.ge(0).any().item<bool>();
}

bool has_split(const LoadedData& loaded, const RunDescription& run) {
  const Dataset& data = loaded.data;
  return loaded.has_splits_of_the_training(run) && !(data.train.empty() && data.valid.empty() && data.test.empty());
}

void write_table(std::ostream& out, const report::Decisions& decisions, const report::PredictionTable::Columns& columns,
                 const Dataset& data, const at::Tensor& probabilities) {
  const report::SplitNames splits(data);
  const auto width = static_cast<size_t>(probabilities.size(1));
  report::PredictionTable table(out, decisions, columns);
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
    const auto at = static_cast<size_t>(node);
    table.add({.node = data.node_name(node),
               .type = columns.type ? data.type_names[data.node_type[at]] : "",
               .probabilities = {probabilities.data_ptr<float>() + at * width, width},
               .label = columns.label ? decisions.labels(data.labels, node) : std::nullopt,
               .split = splits.of(node)});
  }
}

struct PredictCommand {
  RunArguments run;
  ClassNames classes;
  std::string out;
};

void run_predict(const PredictCommand& command) {
  const RunArguments& options = command.run;
  const std::string& out_path = command.out;
  const RunFolder folder(options.run);
  const RunDescription run = folder.description();
  options.check_output(out_path, folder, run);
  const std::vector<std::string> classes = command.classes.shown(run);
  options.memory.apply(options.device, out_path);
  const LoadedData loaded = options.load(folder, run);
  const Dataset& data = loaded.data;
  const auto model = options.model(folder);
  const auto [probabilities, threshold] = [&] {
    LayerLine predicting("predicting");
    return std::pair(predict(*model, data, predicting.progress()).contiguous(),
                     run::threshold_on(data, *model, run, run::run_threshold(folder)));
  }();
  say_threshold(run, data, threshold);
  const report::Decisions decisions(run.task, classes, threshold);
  const report::PredictionTable::Columns columns{!data.type_names.empty(), has_label(data),
                                                 has_split(loaded, run)};
  write_atomically(out_path, [&](std::ostream& out) { write_table(out, decisions, columns, data, probabilities); });
  std::cerr << "wrote " << counted(data.graph.num_nodes(), "row") << " to " << output_text(out_path) << "\n";
}

}  // namespace

void add_predict(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* sub = app.add_subcommand("predict", "write a trained run's prediction for every node, as CSV");
  command->run.bind(*sub);
  command->run.memory.bind(*sub);
  command->classes.bind(*sub);
  sub->add_option("--out", command->out, "CSV file to write")->required();
  add_help(*sub, with_data_options({}),
           {"geniepath predict --run runs/first --out predictions.csv",
            "geniepath predict --run runs/first --edges new_edges.csv --nodes new_nodes.csv --out predictions.csv"});
  sub->callback([=] { run_predict(*command); });
}

}  // namespace geniepath::cli
