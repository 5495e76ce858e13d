#include "training/training.h"

#include "geniepath/error.h"
#include "training/label_training.h"
#include "training/stepper.h"
#include "training/walk_training.h"

namespace geniepath::training {
namespace {

void check_for_several(const Recipe& recipe) {
  if (learns_from_walks(recipe)) fail("model: learning from random walks takes a single process");
  if (recipe.model.model == "graphsage-lstm") fail("model: graphsage-lstm takes a single process");
  if (recipe.train.consistency > 0) fail("consistency: this penalty takes a single process");
}

}  // namespace

std::unique_ptr<Training> make_training(const Share& share, const Recipe& recipe, int64_t outputs, at::Device device) {
  if (!share.group().is_alone()) check_for_several(recipe);
  auto model = make_model_on(device, share.data(), recipe, outputs);
  if (learns_from_walks(recipe)) return make_walk_training(share.whole(), recipe, std::move(model));
  return make_label_training(share, recipe, std::move(model), device);
}

}  // namespace geniepath::training
