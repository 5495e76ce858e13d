#include "run_options.h"

#include <nlohmann/json.hpp>

#include "console.h"
#include "option_binder.h"

namespace geniepath::cli {

void RunOptions::bind(CLI::App& command) {
  app = &command;
  command.add_option("--run", run, "folder of the trained run")->required();
  command.add_option("--threads", threads, "threads to use (0: every core)")->check(CLI::Range(0, 4096));
  bind_options(command, data, "Data (default: what the run was trained on)");
}

Dataset RunOptions::load(const RunDescription& description) const {
  use_threads(threads);
  nlohmann::ordered_json merged = description.data.to_json();
  const nlohmann::ordered_json given = data.to_json();
  for (const auto& [key, value] : given.items()) {
    if (app->get_option("--" + key)->count() > 0) merged[key] = value;
  }
  DataOptions options;
  options.read_json(merged, "data options");
  Dataset dataset = load_dataset(options);
  check_fits(description, dataset);
  return dataset;
}

}  // namespace geniepath::cli
