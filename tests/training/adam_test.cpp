#include "training/adam.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "training/bookkeeping.h"
#include "training/loss_watch.h"

namespace geniepath::training {
namespace {

// Two steps of Adam on a single weight, by its paper's formulas.
TEST(Adam, ByHandWithL2AndClipping) {
  at::Tensor w = at::tensor({1.0f}).requires_grad_();
  Adam adam({{"w", w}}, {.l2 = 0.1, .clip = 2.0});
  double expected = 1.0, m = 0, v = 0;
  for (int t = 1; t <= 2; ++t) {
    w.mutable_grad().fill_(t == 1 ? 4.0 : 1.0);
    adam.step(0.05);
    EXPECT_NEAR(adam.gradient_norm(), t == 1 ? 4.0 : 1.0, 1e-6);
    const double g = (t == 1 ? 2.0 : 1.0) + 0.1 * expected;  // the first is clipped
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    expected -= 0.05 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    EXPECT_NEAR(w.item<double>(), expected, 1e-5);
    EXPECT_EQ(w.grad().item<double>(), 0.0);
  }
}

// Without a gradient, decay alone moves a weight: by learning rate times decay of its size, of matrices but not of
// vectors and, unless asked for, not of the attention's weights.
TEST(Adam, WeightDecayShrinksMatricesApartFromTheGradient) {
  for (const bool attention : {false, true}) {
    SCOPED_TRACE(attention);
    const nn::NamedTensors parameters{{"hop.w", at::ones({2, 3})},   {"hop.b", at::ones({3})},
                                      {"hop.v", at::ones({3})},      {"hop.w_s", at::ones({3, 3})},
                                      {"hop.w_d", at::ones({3, 3})}, {"w_y", at::ones({3, 1})}};
    for (const auto& [_, parameter] : parameters) parameter.set_requires_grad(true);
    Adam adam(parameters, {.weight_decay = 0.5, .decay_attention = attention});
    adam.step(0.1);
    for (const auto& [name, parameter] : parameters) {
      const bool shrinks = name == "hop.w" || name == "w_y" || (attention && name != "hop.b");
      EXPECT_TRUE(at::allclose(parameter, at::full_like(parameter, shrinks ? 0.95 : 1.0))) << name;
    }
  }
}

TEST(Adam, TheAverageFollowsTheWeightsAndSwapsWithThem) {
  at::Tensor w = at::tensor({1.0f}).requires_grad_();
  Adam adam({{"w", w}}, {.average = 0.9});
  double average = 1.0;
  for (int t = 1; t <= 200; ++t) {
    w.mutable_grad().fill_(std::sin(t));
    adam.step(0.01);
    const double keep = std::min(0.9, (t - 1.0) / (t + 8.0));
    average = keep * average + (1 - keep) * w.item<double>();
  }
  const double last = w.item<double>();
  ASSERT_GT(std::abs(last - average), 1e-4);
  adam.swap_average();
  EXPECT_NEAR(w.item<double>(), average, 1e-5);
  adam.swap_average();
  EXPECT_EQ(w.item<double>(), last);
}

TEST(LearningRate, WarmsUpOverItsEpochsAndThenFollowsItsSchedule) {
  TrainConfig config;
  config.learning_rate = 0.4, config.warmup = 4, config.epochs = 100;
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 1), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 3), 0.3);
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 4), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 100), 0.4);
  config.warmup = 0;
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 1), 0.4);
  config.schedule = Schedule::kCosine;
  EXPECT_DOUBLE_EQ(learning_rate_at(config, 1), 0.4);
  EXPECT_NEAR(learning_rate_at(config, 51), 0.2, 1e-12);
}

// Whether a loss of this course is said to have risen at its end. `epoch`: epochs done before, by a run that did not
// watch.
bool risen(const std::vector<double>& losses, int64_t epoch = 0) {
  LossWatch watch;
  for (const double loss : losses) watch.add(++epoch, loss);
  return watch.risen(epoch);
}

TEST(LossWatch, TellsARiseForGoodFromNoise) {
  std::vector<double> falls, rises, noisy, converged;
  for (int e = 0; e < 100; ++e) {
    falls.push_back(std::exp(-0.05 * e));
    rises.push_back(e < 50 ? std::exp(-0.05 * e) : 0.082 + 0.01 * (e - 50));
    noisy.push_back(std::exp(-0.05 * e) + (e % 10 == 9 ? 0.05 : 0));
    converged.push_back(e < 50 ? std::exp(-0.2 * e) : 1e-4 * (1 + 0.1 * (e - 50)));
  }
  EXPECT_FALSE(risen(falls));
  EXPECT_FALSE(risen(falls, 50));
  EXPECT_TRUE(risen(rises));
  EXPECT_FALSE(risen(noisy));
  EXPECT_FALSE(risen(converged));  // above its least value, but near 0
}

}  // namespace
}  // namespace geniepath::training
