// Options and execution of `geniepath train`, shared with subcommands that train.
#pragma once

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arguments/data_arguments.h"
#include "geniepath/run.h"
#include "run/baselines.h"
#include "run/resumed_run.h"

namespace geniepath::cli {

// Options of a recipe and its data.
struct RecipeArguments : Recipe {
  DataArguments data;

  // Declares the options. The struct must outlive the parsing.
  void bind(CLI::App& command);
  // Chooses tables as the data if any were given. An Error if an option was given that has no effect.
  void settle();
  // The run to train; options not typed have the model's usual values.
  RunRequest request() const;
  // For resuming a run: the values, and which of them were typed.
  run::GivenOptions given() const;

 private:
  void keep_typed(Recipe& recipe) const;  // restores what was typed
};

struct TrainCommand : RecipeArguments {
  std::string out = "runs/latest", config;
  std::string device = "cpu";
  int64_t threads = 0;
  bool json = false, resume = false, force = false;
  std::string title;  // prefix of the progress line; empty: data and model are described first

  // Declares the options. The struct must outlive the parsing.
  void bind(CLI::App& command);
};

struct TrainOutcome {
  TrainResult result;
  nlohmann::ordered_json summary;  // contents of result.json, also for an unfinished run
  std::string metric;              // the run's score
  std::optional<run::Baselines> baselines;
};

// Trains into command.out; writes result.json there when the run is finished.
TrainOutcome run_training(const TrainCommand& command);

}  // namespace geniepath::cli
