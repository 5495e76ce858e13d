#include "training/loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace geniepath::training {
namespace {

TEST(Loss, ByHand) {
  const at::Tensor logits = at::tensor({2.0f, 0.0f}).view({1, 2});
  EXPECT_NEAR(cross_entropy({Task::kMultiClass, logits, at::tensor({0}, at::kLong), {}}).item<double>(),
              std::log(1 + std::exp(-2.0)), 1e-6);
  const at::Tensor one = at::tensor({1.0f}).view({1, 1});
  EXPECT_NEAR(cross_entropy({Task::kBinary, one, at::tensor({0}, at::kLong), {}}).item<double>(),
              std::log(1 + std::exp(1.0)), 1e-6);
  EXPECT_NEAR(cross_entropy({Task::kBinary, one, at::tensor({1}, at::kLong), at::tensor({3.0f})}).item<double>(),
              3 * std::log(1 + std::exp(-1.0)), 1e-6);
  EXPECT_EQ(num_outputs(Task::kBinary, 2), 1);
  EXPECT_EQ(num_outputs(Task::kMultiLabel, 7), 7);
}

TEST(Loss, InconsistencyByHand) {
  const auto scores = [](float share) { return at::tensor({share / (1 - share), 1.0f}).log().view({1, 2}); };
  // Shares of .5 and .9 have a mean of .7, which sharpens to .49 / .58.
  const double target = .49 / .58, expected = (std::pow(target - .5, 2) + std::pow(target - .9, 2)) / 2;
  EXPECT_NEAR(inconsistency(Task::kMultiClass, {scores(.5), scores(.9)}).item<double>(), 2 * expected, 1e-6);
  const auto yes = [&](float share) { return scores(share).narrow(1, 0, 1); };
  EXPECT_NEAR(inconsistency(Task::kBinary, {yes(.5), yes(.9)}).item<double>(), expected, 1e-6);
  const at::Tensor sure = at::tensor({0.0f, 100.0f}).view({1, 2});
  EXPECT_NEAR(inconsistency(Task::kMultiClass, {sure, sure}).item<double>(), 0, 1e-12);
}

TEST(Loss, InconsistencyHoldsItsTargetConstant) {
  const at::Tensor same = at::tensor({0.3f, -0.2f, 0.1f}).view({1, 3}).requires_grad_();
  inconsistency(Task::kMultiClass, {same, same}).backward();
  const at::Tensor p = at::softmax(same.detach(), 1), q = p.square() / p.square().sum();
  const at::Tensor slope = 2 * (p - q);  // of the distance, to p
  EXPECT_TRUE(at::allclose(same.grad(), p * (slope - (slope * p).sum()), 1e-4, 1e-7)) << same.grad();
}

// Bits of a loss and of its gradient for the logits, by 2, 3, 5 and 7 threads beside those by one.
void expect_same_bits(const at::Tensor& logits, const std::function<at::Tensor()>& loss_of_logits) {
  const int before = at::get_num_threads();
  const auto bits = [&](int threads) {
    at::set_num_threads(threads);
    const at::Tensor loss = loss_of_logits();
    logits.mutable_grad() = at::Tensor();
    loss.backward();
    return at::cat({loss.detach().view({1}), logits.grad().flatten()});
  };
  const at::Tensor alone = bits(1);
  for (const int threads : {2, 3, 5, 7}) EXPECT_TRUE(bits(threads).equal(alone)) << "by " << threads;
  at::set_num_threads(before);
}

TEST(Loss, BitsDoNotDependOnThreads) {
  const at::Tensor logits = (10 * at::sin(at::arange(300000, at::kFloat))).view({100000, 3}).requires_grad_();
  const at::Tensor classes = at::arange(100000) % 3, labels = at::one_hot(classes, 3).to(at::kFloat);
  for (const Task task : {Task::kMultiClass, Task::kMultiLabel}) {
    SCOPED_TRACE(to_string(task));
    expect_same_bits(logits, [&] {
      return cross_entropy({task, logits, task == Task::kMultiClass ? classes : labels, {}});
    });
    expect_same_bits(logits, [&] { return inconsistency(task, {logits, logits.flip(0)}); });
  }
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
