#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/run_arguments.h"
#include "commands/commands.h"
#include "terminal/console.h"
#include "terminal/score_report.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

void run_evaluate(const RunArguments& options, bool json) {
  const RunFolder folder(options.run);
  const RunDescription run = folder.description();
  const Dataset data = options.load(folder, run);
  const auto model = options.model(folder);
  const std::string metric = chosen_metric(run.train, data);
  const SplitScores scores = evaluate(*model, data, chosen_protocol(run.train, data), metric);
  if (json) {
    nlohmann::ordered_json result = {{"model", run.model.model},
                                           {"data", data.name},
                                           {"seed", run.train.seed},
                                           {"valid", to_json(scores.valid)},
                                           {"test", to_json(scores.test)}};
    if (data.task == Task::kMultiLabel) result["protocols"] = to_json(evaluate_protocols(*model, data, metric));
    std::cout << result.dump() << std::endl;
    return;
  }
  std::cout << "valid  " << summary_line(scores.valid) << "\ntest   " << summary_line(scores.test) << "\n\n"
            << class_table(scores.test, 200);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  auto json = std::make_shared<bool>(false);
  CLI::App* sub = app.add_subcommand("evaluate", "score a trained run on the test nodes of a data set");
  options->bind(*sub);
  sub->add_flag("--json", *json, "print the scores as one JSON line on stdout");
  sub->callback([=] { run_evaluate(*options, *json); });
}

}  // namespace geniepath::cli
