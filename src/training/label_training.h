// Training by labels: steps over the training nodes; the validation nodes select the best epoch.
#pragma once

#include "training/training.h"

namespace geniepath::training {

// `model` must already be on the device.
std::unique_ptr<Training> make_label_training(const Share& share, const Recipe& recipe, std::shared_ptr<Model> model,
                                              at::Device device);

}  // namespace geniepath::training
