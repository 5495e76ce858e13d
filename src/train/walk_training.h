// Training from random walks, without labels, and then a logistic regression on what was learned, which needs few.
#pragma once

#include "geniepath/train.h"

namespace geniepath::training {

// Whether a run is trained so: node2vec, DeepWalk, or any model with objective = walks.
bool learns_from_walks(const RunDescription& run);

// As train(). Labels do not choose the epoch: the last one counts. The L2 penalty of the regression is the one with the
// best validation score.
TrainResult train_on_walks(const Dataset& data, const RunDescription& run, const RunFolder& folder,
                           const TrainHooks& hooks, bool resume, at::Device device);

}  // namespace geniepath::training
