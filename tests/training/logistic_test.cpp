#include "training/logistic.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "training/loss.h"

namespace geniepath::training {
namespace {

struct Problem {
  Task task;
  at::Tensor x, labels;
  int64_t classes;
};

Problem problem(Task task, int64_t rows = 60, int64_t width = 5) {
  at::manual_seed(4);
  const at::Tensor x = at::randn({rows, width});
  const at::Tensor noisy = at::mm(x, at::randn({width, 3})) + at::randn({rows, 3});
  if (task == Task::kMultiClass) return {task, x, noisy.argmax(1), 3};
  if (task == Task::kBinary) return {task, x, (noisy.select(1, 0) > 0).to(at::kLong), 2};
  return {task, x, (noisy > 0.5).to(at::kFloat), 3};
}

double value_at(const Problem& p, const at::Tensor& w, const at::Tensor& b, double l2) {
  const at::Tensor logits = at::mm(p.x.to(at::kDouble), w) + b;
  const at::Tensor mean = cross_entropy({p.task, logits, p.labels, {}});  // also over labels if there are several
  const double labels = p.task == Task::kMultiLabel ? static_cast<double>(p.classes) : 1;
  return mean.item<double>() * labels + l2 / 2 * w.square().sum().item<double>();
}

TEST(Logistic, FindsTheMinimum) {
  for (const Task task : {Task::kMultiClass, Task::kBinary, Task::kMultiLabel}) {
    const Problem p = problem(task);
    const LogisticFit fit = fit_logistic(task, p.x, p.labels, p.classes, {.l2 = 0.01});
    EXPECT_LT(fit.iterations, 200);
    EXPECT_NEAR(fit.value, value_at(p, fit.w, fit.b, 0.01), 1e-9);
    at::manual_seed(5);
    for (int n = 0; n < 20; ++n) {  // no nearby point is lower
      const at::Tensor w = fit.w + at::randn_like(fit.w) * 0.01, b = fit.b + at::randn_like(fit.b) * 0.01;
      EXPECT_GT(value_at(p, w, b, 0.01), fit.value - 1e-9);
    }
  }
}

TEST(Logistic, PenaltyShrinksWeightsAndLeavesInterceptsFree) {
  const Problem p = problem(Task::kMultiLabel);
  const LogisticFit weak = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 1e-3});
  const LogisticFit strong = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 1e4});
  EXPECT_LT(strong.w.norm().item<double>(), 1e-3 * weak.w.norm().item<double>());
  const at::Tensor share = p.labels.mean(0).to(at::kDouble);
  EXPECT_LT((at::sigmoid(strong.b) - share).abs().max().item<double>(), 1e-4);
}

TEST(Logistic, StartsWhereItIsToldAndEndsAtTheSameMinimum) {
  const Problem p = problem(Task::kMultiClass);
  const LogisticFit cold = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 0.01});
  const LogisticFit other = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 0.03});
  const LogisticFit warm = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 0.01}, &other);
  EXPECT_NEAR(warm.value, cold.value, 1e-7);
  EXPECT_LT(fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 0.01}, &cold).iterations, 2);
}

TEST(Logistic, BitsDoNotDependOnThreads) {
  const Problem p = problem(Task::kMultiLabel, 20000, 64);  // enough for LibTorch and BLAS to use several threads
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const LogisticFit one = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 0.01});
  at::set_num_threads(4);
  const LogisticFit four = fit_logistic(p.task, p.x, p.labels, p.classes, {.l2 = 0.01});
  EXPECT_EQ(at::get_num_threads(), 4) << "left as they were";
  at::set_num_threads(before);
  EXPECT_TRUE(one.w.equal(four.w));
}

}  // namespace
}  // namespace geniepath::training
