#include "training/stepper.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "training/small_data.h"

namespace geniepath::training {
namespace {

Recipe small_recipe(const std::string& model) {
  Recipe recipe;
  recipe.model.model = model;
  recipe.model.hidden = 12;
  recipe.model.depth = 2;
  return recipe;
}

std::vector<at::Tensor> weights_of(Stepper& stepper) {
  std::vector<at::Tensor> weights;
  for (const at::Tensor& weight : stepper.model().parameters()) weights.push_back(weight.detach());
  return weights;
}

TEST(Stepper, APassRunAheadIsThePredictionAndLeavesTheSameBits) {
  const Dataset data = testing::ring_data(4, 40, false);
  const Share share(data);
  for (const std::string& model : model_names()) {
    SCOPED_TRACE(model);
    Stepper plain = stepper_for(share, small_recipe(model), at::kCPU),
            ahead = stepper_for(share, small_recipe(model), at::kCPU);
    EXPECT_EQ(ahead.can_run_ahead(), model != "graphsage-lstm");
    if (!ahead.can_run_ahead()) continue;
    for (int64_t epoch = 1; epoch <= 3; ++epoch) {
      const at::Tensor scores = ahead.run_ahead({});
      EXPECT_FALSE(scores.requires_grad());
      EXPECT_TRUE(scores.equal(plain.model().forward(plain.batches()[0].input)));
      ASSERT_TRUE(plain.queue_epoch(epoch, 0.02) && ahead.queue_epoch(epoch, 0.02));
      EXPECT_EQ(plain.mean_loss(), ahead.mean_loss());
    }
    const auto expected = weights_of(plain), found = weights_of(ahead);
    for (size_t p = 0; p < expected.size(); ++p) EXPECT_TRUE(found[p].equal(expected[p])) << p;
  }
}

TEST(Stepper, AForgottenPassIsRunAgain) {
  const Dataset data = testing::ring_data(4, 40, false);
  const Share share(data);
  Stepper stepper = stepper_for(share, small_recipe("geniepath"), at::kCPU);
  stepper.run_ahead({});
  const at::NoGradGuard no_grad;
  for (at::Tensor weight : stepper.model().parameters()) weight.mul_(0.5);
  stepper.forget_ahead();
  Stepper fresh = stepper_for(share, small_recipe("geniepath"), at::kCPU);
  for (at::Tensor weight : fresh.model().parameters()) weight.mul_(0.5);
  const at::AutoGradMode grad(true);
  ASSERT_TRUE(stepper.queue_epoch(1, 0.02) && fresh.queue_epoch(1, 0.02));
  EXPECT_EQ(stepper.mean_loss(), fresh.mean_loss());
}

TEST(Stepper, NothingIsRunAheadWhereATrainingPassIsNoPrediction) {
  const Dataset data = testing::ring_data(4, 40, false);
  const Share share(data);
  const auto can_run_ahead = [&](const std::string& model, const auto& change) {
    Recipe recipe = small_recipe(model);
    change(recipe);
    return stepper_for(share, recipe, at::kCPU).can_run_ahead();
  };
  EXPECT_TRUE(can_run_ahead("gat", [](Recipe&) {}));
  EXPECT_FALSE(can_run_ahead("gat", [](Recipe& recipe) { recipe.model.attention_dropout = 0.5; }));
  EXPECT_FALSE(can_run_ahead("gat", [](Recipe& recipe) { recipe.model.value_dropout = 0.5; }));
  EXPECT_FALSE(can_run_ahead("graphsage-mean", [](Recipe& recipe) { recipe.model.sampled_neighbours = 1; }));
  EXPECT_FALSE(can_run_ahead("geniepath", [](Recipe& recipe) { recipe.model.dropout = 0.5; }));
  EXPECT_FALSE(can_run_ahead("geniepath", [](Recipe& recipe) { recipe.model.input_dropout = 0.5; }));
  EXPECT_FALSE(can_run_ahead("geniepath", [](Recipe& recipe) { recipe.train.consistency = 1; }));
  EXPECT_FALSE(can_run_ahead("geniepath", [](Recipe& recipe) { recipe.train.batch_graphs = 2; }));
  EXPECT_FALSE(can_run_ahead("geniepath", [](Recipe& recipe) { recipe.train.batch = BatchKind::kNeighbours; }));
}

// The last epoch of a training judges by a pass of its own.
TEST(Stepper, AnEpochIsJudgedByItsOwnWeights) {
  const Dataset data = testing::ring_data(4, 40, false);
  const auto loss_and_score = [&](int64_t epochs) {
    Recipe recipe = small_recipe("geniepath-lazy");
    recipe.train.epochs = epochs;
    std::vector<std::pair<double, double>> found;
    TrainHooks hooks;
    hooks.on_epoch = [&](const EpochRecord& record) { found.emplace_back(record.loss, record.valid.accuracy); };
    train(data, recipe, hooks);
    return found;
  };
  const auto all = loss_and_score(12);
  for (const size_t epochs : {1, 2, 5, 11}) {
    EXPECT_EQ(loss_and_score(static_cast<int64_t>(epochs)).back(), all[epochs - 1]) << epochs;
  }
  EXPECT_NE(all.front().second, all.back().second);
}

}  // namespace
}  // namespace geniepath::training
