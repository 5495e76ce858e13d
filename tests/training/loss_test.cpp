#include "training/loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

namespace geniepath::training {
namespace {

TEST(Loss, ByHand) {
  const at::Tensor logits = at::tensor({2.0f, 0.0f}).view({1, 2});
  EXPECT_NEAR(cross_entropy({Task::kMultiClass, logits, at::tensor({0}, at::kLong), {}}).item<double>(),
              std::log(1 + std::exp(-2.0)), 1e-6);
  const at::Tensor one = at::tensor({1.0f}).view({1, 1});
  EXPECT_NEAR(cross_entropy({Task::kBinary, one, at::tensor({0}, at::kLong), {}}).item<double>(), std::log(1 + std::exp(1.0)),
              1e-6);
  EXPECT_NEAR(cross_entropy({Task::kBinary, one, at::tensor({1}, at::kLong), at::tensor({3.0f})}).item<double>(),
              3 * std::log(1 + std::exp(-1.0)), 1e-6);
  EXPECT_EQ(num_outputs(Task::kBinary, 2), 1);
  EXPECT_EQ(num_outputs(Task::kMultiLabel, 7), 7);
}

TEST(Loss, BitsDoNotDependOnThreads) {
  const int before = at::get_num_threads();
  const at::Tensor logits = (10 * at::sin(at::arange(300000, at::kFloat))).view({100000, 3}).requires_grad_();
  const at::Tensor classes = at::arange(100000) % 3, labels = at::one_hot(classes, 3).to(at::kFloat);
  const auto bits = [&](Task task, int threads) {
    at::set_num_threads(threads);
    const at::Tensor loss = cross_entropy({task, logits, task == Task::kMultiClass ? classes : labels, {}});
    logits.mutable_grad() = at::Tensor();
    loss.backward();
    return at::cat({loss.detach().view({1}), logits.grad().flatten()});
  };
  for (const Task task : {Task::kMultiClass, Task::kMultiLabel}) {
    const at::Tensor alone = bits(task, 1);
    for (const int threads : {2, 3, 5, 7}) EXPECT_TRUE(bits(task, threads).equal(alone)) << to_string(task) << " by " << threads;
  }
  at::set_num_threads(before);
}

TEST(Loss, BalancedWeights) {
  const at::Tensor three = balanced_weights(Task::kMultiClass, at::tensor({0, 0, 0, 1}, at::kLong), 3);
  EXPECT_NEAR(three[0].item<double>(), 4.0 / 9, 1e-6);
  EXPECT_NEAR(three[1].item<double>(), 4.0 / 3, 1e-6);
  EXPECT_EQ(three[2].item<double>(), 1.0);  // no node has it
  EXPECT_NEAR(balanced_weights(Task::kBinary, at::tensor({0, 0, 0, 1}, at::kLong), 2)[0].item<double>(), 3.0, 1e-6);
}

TEST(Loss, TheGuessHasTheLabelsFrequencies) {
  const at::Tensor of_four = at::tensor({0, 0, 0, 1}, at::kLong);
  EXPECT_NEAR(guessed_scores(Task::kBinary, of_four, 2, {})[0].item<double>(), std::log(1.5 / 3.5), 1e-6);
  const at::Tensor balanced = balanced_weights(Task::kBinary, of_four, 2);
  EXPECT_NEAR(guessed_scores(Task::kBinary, of_four, 2, balanced)[0].item<double>(), std::log(3 * 1.5 / 3.5), 1e-6);
  const at::Tensor classes = at::softmax(guessed_scores(Task::kMultiClass, of_four, 3, {}), 0);
  EXPECT_TRUE(at::allclose(classes, at::tensor({3.5f, 1.5f, 0.5f}) / 5.5)) << classes;
  const at::Tensor labels = at::tensor({1.f, 0.f, 1.f, 0.f}).view({2, 2});  // all have the first, none the second
  const at::Tensor scores = guessed_scores(Task::kMultiLabel, labels, 2, {});
  EXPECT_TRUE(at::allclose(scores, at::tensor({5.f, 0.2f}).log())) << scores;
}

}  // namespace
}  // namespace geniepath::training
