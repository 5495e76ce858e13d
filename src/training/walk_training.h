// Training from random walks, without labels, and then a logistic regression on what was learned, which needs few.
#pragma once

#include "training/training.h"

namespace geniepath::training {

// Whether a recipe is trained so: node2vec, DeepWalk, or any model with objective = walks.
bool learns_from_walks(const Recipe& recipe);

// Labels do not choose the epoch: the last one counts. The L2 penalty of the regression is the one with the best
// validation score. `model` is on its device already.
std::unique_ptr<Training> make_walk_training(const Dataset& data, const Recipe& recipe, std::shared_ptr<Model> model);

}  // namespace geniepath::training
