// Learning from labels: steps over the training nodes, the best epoch picked by the validation nodes.
#pragma once

#include "training/training.h"

namespace geniepath::training {

// `model` is on the device already.
std::unique_ptr<Training> make_label_training(const Dataset& data, const Recipe& recipe, std::shared_ptr<Model> model,
                                              at::Device device);

}  // namespace geniepath::training
