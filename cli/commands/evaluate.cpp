#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/class_names.h"
#include "arguments/quality_arguments.h"
#include "arguments/run_arguments.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "report/path_quality_text.h"
#include "run/baselines.h"
#include "run/run_threshold.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/quality_report.h"
#include "terminal/score_report.h"
#include "terminal/text.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateCommand {
  RunArguments run;
  QualityArguments quality;
  ClassNames classes;
  bool json = false;
  bool paths = false;
};

struct Evaluation {
  SplitScores scores;
  std::vector<SplitScores> protocols;
  std::vector<training::LengthAccuracy> lengths;
  std::optional<PathQuality> quality;
  std::optional<Json> baselines;  // of the run's result, for its own data
};

// "majority  accuracy 0.61 ..." of the scores in result.json.
std::string baseline_line(const Json& baselines, const char* name) {
  if (!baselines.contains(name)) return "";
  std::string text = name + std::string(std::string(name) == "mlp" ? "  " : "");  // as wide as "valid"
  for (const std::string& metric : Scores::names()) {
    const Json& scores = baselines.at(name);
    if (scores.contains(metric)) text += "  " + metric + " " + fixed(score_from_json(scores.at(metric)), 4);
  }
  return text + "\n";
}

PathQuality measured(const EvaluateCommand& command, const RunFolder& folder, const RunDescription& run,
                     const std::shared_ptr<Model>& model, const Dataset& data, const QualityRecord& record) {
  ProgressLine line;
  const auto quality = path_quality(model, data, run::run_scoring(folder, run, *model, data), command.quality.options,
                                    QualityArguments::progress(line));
  if (!quality) {
    fail("--paths: expected a model that attends to neighbours, such as geniepath, geniepath-lazy or gat, found ",
         run.model.model);
  }
  record.write(*quality);
  return *quality;
}

Json to_json(const RunDescription& run, const Dataset& data, const Evaluation& all) {
  Json result = {{"model", run.model.model},
                 {"data", data.name},
                 {"seed", run.train.seed},
                 {"valid", geniepath::to_json(all.scores.valid)},
                 {"test", geniepath::to_json(all.scores.test)}};
  if (!all.protocols.empty()) result["protocols"] = geniepath::to_json(all.protocols);
  if (!all.lengths.empty()) result["path_lengths"] = report::to_json(all.lengths);
  if (all.baselines) result["baselines"] = *all.baselines;
  if (all.quality) result["paths"] = report::to_json(*all.quality);
  return result;
}

void print(const Evaluation& all) {
  std::cout << "valid  " << summary_line(all.scores.valid) << "\ntest   " << summary_line(all.scores.test) << "\n";
  if (all.baselines) std::cout << baseline_line(*all.baselines, "majority") << baseline_line(*all.baselines, "mlp");
  std::cout << "\n" << class_table(all.scores.test, 200);
  if (!all.lengths.empty()) std::cout << "\n" << table(report::length_rows(all.lengths));
  if (all.quality) std::cout << "\n" << quality_text(*all.quality);
}

void run_evaluate(const EvaluateCommand& command) {
  if (command.paths) command.run.require_cpu("evaluate --paths");
  if (command.paths && command.run.memory.given()) fail("--memory-limit: --paths needs the whole graph in memory");
  command.run.memory.apply(command.run.device, command.run.run);
  const RunFolder folder(command.run.run);
  const RunDescription run = folder.description();
  const std::vector<std::string> classes = command.classes.shown(run);
  LoadedData loaded = command.run.load(folder, run);
  loaded.check_split_is_kept("evaluate", run);
  Dataset& data = loaded.data;
  data.class_names = classes;
  if (data.valid.empty() && data.test.empty()) {
    fail("evaluate: ", data.name, " has no labelled validation or test node to score the run on",
         data.name == "tables" ? "; --label-column names the column of labels" : "");
  }
  std::optional<QualityRecord> record;
  if (command.paths) record.emplace(folder, loaded.is_own());
  const auto model = command.run.model(folder);
  const std::string metric = chosen_metric(run.train, data);
  const Protocol protocol = chosen_protocol(run.train, data);
  const std::optional<double> tuned = protocol == Protocol::kHalf ? std::nullopt : run::run_threshold(folder);
  Evaluation all;
  {
    LayerLine evaluating("evaluating");
    all.scores = evaluate(*model, data, protocol, metric, evaluating.progress(), tuned);
    if (command.json) all.protocols = evaluate_protocols(*model, data, metric, tuned);
    if (!data.path_length.empty()) {
      all.lengths = training::accuracy_by_length(data, predict(*model, data), all.scores.threshold);
    }
  }
  if (loaded.is_own()) all.baselines = run::recorded_baselines(folder);
  if (record) all.quality = measured(command, folder, run, model, data, *record);
  if (command.json) {
    std::cout << to_json(run, data, all).dump() << std::endl;
  } else {
    print(all);
  }
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App* sub = app.add_subcommand("evaluate", "score a trained run on the test nodes of a data set");
  command->run.bind(*sub);
  command->run.memory.bind(*sub);
  command->run.needs_labels = true;
  command->classes.bind(*sub);
  sub->add_flag("--json", command->json, "print the scores as one JSON line on stdout");
  sub->add_flag(
      "--paths", command->paths,
      "also measure its attention: whether predictions rest on the strongest paths, how even it is and, if the "
      "data has true edges, whether they weigh more than the others into the same node (self-loops are left "
      "out); recorded in the run, for compare");
  command->quality.bind(*sub);
  for (const char* option : {"--sample", "--hops", "--top", "--sample-seed"}) sub->get_option(option)->needs("--paths");
  add_help(*sub, with_data_options({"sample", "hops"}),
           {"geniepath evaluate --run runs/first",
            "geniepath evaluate --run runs/first --edges new_edges.csv --nodes new_nodes.csv --json"});
  sub->callback([=] { run_evaluate(*command); });
}

}  // namespace geniepath::cli
