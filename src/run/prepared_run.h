// Preparation of a run: its options, with the usual ones of its model and data as defaults, and its prepared data.
#pragma once

#include "geniepath/run.h"

namespace geniepath::run {

// Expands --task unsupervised to objective = walks, and turns on the biases that this objective needs.
void choose_objective(RunDescription& run);

// The usual model where features are columns of a user's own tables, unless another was chosen: the lazy variant with skip
// connections, with a note that says so. `columns`: how many features the data has by itself.
void choose_model(PreparedRun& made, int64_t columns, const RunRequest& request);

// Usual values where labels are few, with a note that says so.
void adapt_to_labels(PreparedRun& made, int64_t training_nodes, const RunRequest& request);

// Prepares the data again after a change of the description's transforms.
void prepare_data(PreparedRun& run);
// The same, with the values of its features as they were before their transform and scale.
void prepare_all_but_values(PreparedRun& run);

// prepare_run with the values of features as they were: a mapped array stays mapped. transformed_values() gives the
// others, some rows at a time (data/transforms/refit_transforms.h).
PreparedRun prepare_but_values(const RunRequest& request);

// The resolved options that apply, as a config file, from which `train --config` repeats the run.
std::string config_text(const RunDescription& run);

}  // namespace geniepath::run
