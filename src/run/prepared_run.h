// A run about to begin: what was asked for, with what is usual for its model and data in place of what was not, and its
// data prepared.
#pragma once

#include "geniepath/run.h"

namespace geniepath::run {

// What --task unsupervised is short for, spelled out, with what the objective brings along.
void choose_objective(RunDescription& run);

// Prepares the data anew, after a change of the description's preparation.
void prepare_data(PreparedRun& run);

// The resolved options as a config file: a later `train --config` makes the same run.
std::string config_text(const RunDescription& run);

}  // namespace geniepath::run
