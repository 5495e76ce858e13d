// Hooks of a training: steps, stopping within an epoch, a registered loss and a registered metric.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "geniepath/run.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath {
namespace {

RunDescription stepwise_run(const Dataset& data) {
  RunDescription run;
  run.model.hidden = 12;
  run.model.depth = 2;
  run.model.dropout = 0.2;
  run.train.epochs = 12;
  run.train.batch_graphs = 1;
  run.task = data.task;
  run.features = data.features.num_features();
  run.classes = data.num_classes;
  return run;
}

TEST(Hooks, SeeEveryStepWithItsLoss) {
  const Dataset data = testing::ring_data();  // 4 rings to train on
  std::vector<StepRecord> steps;
  std::vector<EpochRecord> epochs;
  TrainHooks hooks;
  hooks.on_step = [&](const StepRecord& step) { steps.push_back(step); };
  hooks.on_epoch = [&](const EpochRecord& epoch) { epochs.push_back(epoch); };
  const Recipe recipe = stepwise_run(data);
  train(data, recipe, hooks);
  ASSERT_EQ(steps.size(), 4 * 12u);
  for (size_t e = 0; e < epochs.size(); ++e) {
    double sum = 0;
    for (size_t s = 0; s < 4; ++s) {
      const StepRecord& step = steps[4 * e + s];
      EXPECT_EQ(step.epoch, static_cast<int64_t>(e + 1));
      EXPECT_EQ(step.step, static_cast<int64_t>(s + 1));
      EXPECT_EQ(step.steps, 4);
      sum += step.loss.item<double>();
    }
    EXPECT_NEAR(sum / 4, epochs[e].loss, 1e-9) << "rings are of one size";
  }
}

TEST(Hooks, StoppedWithinAnEpochARunResumesToTheSameBits) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  const RunDescription run = stepwise_run(data);
  const RunFolder whole(scratch / "whole"), cut(scratch / "cut");
  whole.create(run, {}, false), cut.create(run, {}, false);
  train(data, run, whole, {});
  int64_t steps = 0;
  TrainHooks hooks;
  hooks.on_step = [&](const StepRecord&) { ++steps; };
  hooks.should_stop = [&] { return steps == 4 * 5 + 2; };
  const TrainResult stopped = train(data, run, cut, hooks);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.epochs, 5) << "the sixth had begun";
  EXPECT_EQ(steps, 22);
  train(data, run, cut, {}, /*resume=*/true);
  for (const char* file : {"last.safetensors", "best.safetensors"}) {
    EXPECT_EQ(read_text(cut.file(file)), read_text(whole.file(file))) << file;
  }
}

// Registered once per process, and then measured in every later test of the program, whatever its task.
void register_ours() {
  static const bool done = [] {
    register_loss("test-twice", [](const LossInput& input) {
      return 2 * at::cross_entropy_loss(input.scores, input.labels, input.class_weights);
    });
    register_metric("test_least_recall", [](Task task, const at::Tensor& probabilities, const at::Tensor& labels) {
      if (task != Task::kMultiClass || labels.numel() == 0) return 0.0;
      double least = 1;
      for (int64_t c = 0; c < probabilities.size(1); ++c) {
        const at::Tensor right = (probabilities.argmax(1) == labels).masked_select(labels == c).to(at::kDouble);
        if (right.numel() > 0) least = std::min(least, right.mean().item<double>());
      }
      return least;
    });
    return true;
  }();
  EXPECT_TRUE(done);
}

TEST(Hooks, ALossOfOnesOwnIsMadeSmall) {
  register_ours();
  const Dataset data = testing::ring_data();
  Recipe recipe = stepwise_run(data);
  recipe.train.epochs = 1;
  const auto first_loss = [&] {
    double loss = 0;
    TrainHooks hooks;
    hooks.on_step = [&](const StepRecord& step) {
      if (step.step == 1) loss = step.loss.item<double>();
    };
    train(data, recipe, hooks);
    return loss;
  };
  const double ours = first_loss();
  recipe.train.loss = "test-twice";
  EXPECT_NEAR(first_loss(), 2 * ours, 1e-6);
  recipe.train.loss = "none";
  EXPECT_ERROR(train(data, recipe), "loss: 'none' is unknown");
  EXPECT_ERROR(recipe.train.check(), "loss: 'none' is not one of cross-entropy, test-twice");
  EXPECT_ERROR(register_loss("cross-entropy", [](const LossInput&) { return at::zeros({}); }), "there is a loss");
  EXPECT_ERROR(register_loss("nothing", nullptr), "register_loss: expected a name and a function");
}

TEST(Hooks, AMetricOfOnesOwnPicksTheBestEpoch) {
  register_ours();
  const Dataset data = testing::ring_data();
  Recipe recipe = stepwise_run(data);
  recipe.train.metric = "test_least_recall";
  double best = -1;
  TrainHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& epoch) { best = std::max(best, epoch.valid.by_name("test_least_recall")); };
  const TrainResult result = train(data, recipe, hooks).result;
  EXPECT_EQ(result.valid.by_name("test_least_recall"), best);
  EXPECT_LE(result.test.own.at("test_least_recall"), result.test.accuracy);
  EXPECT_ERROR(register_metric("f1", [](Task, const at::Tensor&, const at::Tensor&) { return 0.0; }),
               "there is a metric");
}

}  // namespace
}  // namespace geniepath
