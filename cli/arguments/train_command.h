// `geniepath train` as other subcommands use it: the same options, the same run folder.
#pragma once

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <string>

#include "arguments/data_arguments.h"
#include "geniepath/run.h"
#include "run/resumed_run.h"

namespace geniepath::cli {

// The options of a recipe and its data, and what they ask for.
struct RecipeArguments : Recipe {
  DataArguments data;

  // Declares the options. The struct must outlive the parsing.
  void bind(CLI::App& command);
  // With what is usual for the model in place of what was not typed.
  RunRequest request() const;
  // For a run that was begun.
  run::GivenOptions given() const;
};

struct TrainCommand : RecipeArguments {
  std::string out = "runs/latest", config;
  std::string device = "cpu";
  int64_t threads = 0;
  bool json = false, resume = false, force = false;
  std::string title;  // in front of the progress line; empty: data and model are described first

  // Declares the options. The struct must outlive the parsing.
  void bind(CLI::App& command);
};

struct TrainOutcome {
  TrainResult result;
  nlohmann::ordered_json summary;  // what result.json holds once the run is finished
};

// Trains into command.out; result.json appears there when the run is finished.
TrainOutcome run_training(const TrainCommand& command);

}  // namespace geniepath::cli
