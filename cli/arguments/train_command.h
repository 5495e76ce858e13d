// Options and execution of `geniepath train`, shared with subcommands that train.
#pragma once

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "arguments/data_arguments.h"
#include "arguments/memory_arguments.h"
#include "distributed/group.h"
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
  // Cross-validation over all folds: --folds without --fold.
  bool all_folds() const;

  int64_t fold = 0;  // of the split to train on; 0: as the options say

 private:
  void keep_typed(Recipe& recipe) const;  // restores what was typed
};

struct TrainCommand : RecipeArguments {
  std::string out = "runs/latest", config;
  std::string device = "cpu";
  int64_t threads = 0;
  bool json = false, resume = false, force = false;
  int64_t seeds = 1;
  int64_t processes = 0;  // 0: as a launcher says, else one
  int64_t timeout = 300;  // seconds
  MemoryArguments memory;
  std::string partition;  // folder; empty: the data is loaded
  distributed::Group* group = &distributed::alone();
  std::string title;   // prefix of the progress line
  bool brief = false;  // data and model are not described

  // Declares the options. The struct must outlive the parsing.
  void bind(CLI::App& command);
};

struct TrainOutcome {
  TrainResult result;
  nlohmann::ordered_json summary;  // contents of result.json, also for an unfinished run
  std::string metric;              // the run's score
  ModelConfig model;
  std::optional<run::Baselines> baselines;
};

// `train` with parsed arguments, and the parser that counts which options were given.
struct ParsedTrain {
  explicit ParsedTrain(const std::vector<std::string>& arguments);

  CLI::App app;
  TrainCommand command;
};

// Trains into command.out; writes result.json there when the run is finished.
TrainOutcome run_training(const TrainCommand& command);

// The result.json of the run in command.out: a finished run is read, a stopped one continued, a missing one trained.
// None if interrupted.
std::optional<nlohmann::ordered_json> finished_result(TrainCommand command);

// As one of several processes, if a launcher says so, or as their parent (--processes). Returns false for a process
// alone.
bool train_together(TrainCommand& command);

// Prints the result.
void report(const TrainCommand& command, const TrainOutcome& outcome);

// One run per seed and fold, each in a folder of its own in command.out; prints one table, or one JSON line.
void train_repeatedly(const TrainCommand& command);

}  // namespace geniepath::cli
