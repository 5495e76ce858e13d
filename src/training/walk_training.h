// Training by random walks, without labels, followed by a logistic regression on the representations, which needs few.
#pragma once

#include "training/training.h"

namespace geniepath::training {

// Whether the recipe trains by walks: node2vec, DeepWalk, or any model with objective = walks.
bool learns_from_walks(const Recipe& recipe);

// Labels do not select the epoch: the last one counts. The regression's L2 penalty is the one with the best validation
// score. `model` must already be on its device.
std::unique_ptr<Training> make_walk_training(const Dataset& data, const Recipe& recipe, std::shared_ptr<Model> model);

}  // namespace geniepath::training
