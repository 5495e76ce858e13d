// A run about to begin: what was asked for, with what is usual for its model and data in place of what was not, and its
// data prepared.
#pragma once

#include <CLI/CLI.hpp>

#include "arguments/data_arguments.h"
#include "geniepath/train.h"

namespace geniepath::cli {

struct RunArguments {
  ModelConfig model;
  TrainConfig train;
  WalkConfig walk;
};

struct NewRun {
  RunDescription description;
  Dataset raw, data;  // as loaded, and prepared
  FittedTransforms fitted;
};

// `app` is the subcommand the arguments are bound to.
NewRun prepare_run(const CLI::App& app, const RunArguments& arguments, const DataArguments& data);

// What --task unsupervised is short for, spelled out, with what the objective brings along.
void choose_objective(RunDescription& run);

// Prepares the data anew, after a change of the description's preparation.
void prepare_data(NewRun& run);

// The resolved options as a config file: a later `train --config` makes the same run.
std::string config_text(const RunDescription& run);

}  // namespace geniepath::cli
