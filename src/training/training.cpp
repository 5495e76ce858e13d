#include "training/training.h"

#include "training/label_training.h"
#include "training/stepper.h"
#include "training/walk_training.h"

namespace geniepath::training {

std::unique_ptr<Training> make_training(const Dataset& data, const Recipe& recipe, int64_t outputs, at::Device device) {
  auto model = make_model_on(device, data, recipe, outputs);
  if (learns_from_walks(recipe)) return make_walk_training(data, recipe, std::move(model));
  return make_label_training(data, recipe, std::move(model), device);
}

}  // namespace geniepath::training
