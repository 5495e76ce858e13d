#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "run_options.h"
#include "score_report.h"

namespace geniepath::cli {
namespace {

void run_evaluate(const RunOptions& options, bool json) {
  const RunFolder folder(options.run);
  const RunDescription run = folder.description();
  const Dataset data = options.load(folder, run);
  const auto model = options.model(folder);
  const Scores valid = evaluate(*model, data, data.valid), test = evaluate(*model, data, data.test);
  if (json) {
    const nlohmann::ordered_json result = {{"model", run.model.model},
                                           {"data", data.name},
                                           {"seed", run.train.seed},
                                           {"valid", to_json(valid)},
                                           {"test", to_json(test)}};
    std::cout << result.dump() << std::endl;
    return;
  }
  std::cout << "valid  " << summary_line(valid) << "\ntest   " << summary_line(test) << "\n\n" << class_table(test, 200);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  auto json = std::make_shared<bool>(false);
  CLI::App* sub = app.add_subcommand("evaluate", "score a trained run on the test nodes of a data set");
  options->bind(*sub);
  sub->add_flag("--json", *json, "print the scores as one JSON line on stdout");
  sub->callback([=] { run_evaluate(*options, *json); });
}

}  // namespace geniepath::cli
