#include "training/logistic.h"

#include <ATen/ATen.h>

#include <cmath>
#include <deque>

#include "base/one_thread.h"
#include "training/loss.h"

namespace geniepath::training {
namespace {

constexpr size_t kMemory = 10;       // number of past steps in the curvature estimate
constexpr int kMostHalvings = 30;    // of a step that does not reduce the value
constexpr double kEnough = 1e-4;     // required share of the decrease predicted by the slope (Armijo)

double scalar_product(const at::Tensor& a, const at::Tensor& b) { return a.dot(b).item<double>(); }

// The objective as a function of theta [(D + 1) C]: the rows of w, then b.
class LogisticObjective {
 public:
  LogisticObjective(Task task, const at::Tensor& x, const at::Tensor& labels, int64_t num_classes, double l2)
      : task_(task), x_(x.to(at::kDouble)), outputs_(num_outputs(task, num_classes)), l2_(l2) {
    if (task == Task::kMultiClass) {
      y_ = at::one_hot(labels, num_classes).to(at::kDouble);
    } else {
      y_ = labels.to(at::kDouble).view({x.size(0), outputs_});
    }
  }

  int64_t size() const { return (x_.size(1) + 1) * outputs_; }
  at::Tensor weights(const at::Tensor& theta) const {
    return theta.narrow(0, 0, x_.size(1) * outputs_).view({-1, outputs_});
  }
  at::Tensor intercepts(const at::Tensor& theta) const { return theta.narrow(0, x_.size(1) * outputs_, outputs_); }

  double value(const at::Tensor& theta, at::Tensor& gradient) const {
    const auto rows = static_cast<double>(std::max<int64_t>(x_.size(0), 1));
    const at::Tensor w = weights(theta), logits = at::addmm(intercepts(theta), x_, w);
    const bool softmax = task_ == Task::kMultiClass;
    const at::Tensor loss = softmax ? at::logsumexp(logits, 1).sum() - (logits * y_).sum()
                                    : at::softplus(logits).sum() - (logits * y_).sum();
    const at::Tensor share = ((softmax ? at::softmax(logits, 1) : at::sigmoid(logits)) - y_) / rows;
    gradient = at::cat({(at::mm(x_.t(), share) + l2_ * w).flatten(), share.sum(0)});
    return loss.item<double>() / rows + l2_ / 2 * w.square().sum().item<double>();
  }

 private:
  Task task_;
  at::Tensor x_, y_;
  int64_t outputs_;
  double l2_;
};

// The last steps and the changes of the gradient along them, which give the inverse curvature by the two-loop recursion
// (Nocedal and Wright, Numerical Optimization, algorithm 7.4).
class Curvature {
 public:
  void add(const at::Tensor& step, const at::Tensor& change) {
    const double along = scalar_product(step, change);
    if (along <= 1e-300) return;
    if (pairs_.size() == kMemory) pairs_.pop_front();
    pairs_.push_back({step, change, 1 / along});
  }
  at::Tensor direction(const at::Tensor& gradient) const {
    at::Tensor q = gradient.clone();
    std::vector<double> alpha(pairs_.size());
    for (size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = pairs_[i].rho * scalar_product(pairs_[i].step, q);
      q.sub_(pairs_[i].change, alpha[i]);
    }
    if (!pairs_.empty()) q.div_(pairs_.back().rho * scalar_product(pairs_.back().change, pairs_.back().change));
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = pairs_[i].rho * scalar_product(pairs_[i].change, q);
      q.add_(pairs_[i].step, alpha[i] - beta);
    }
    return q.neg_();
  }
  bool empty() const { return pairs_.empty(); }

 private:
  struct Pair {
    at::Tensor step, change;
    double rho;
  };
  std::deque<Pair> pairs_;
};

}  // namespace

LogisticFit fit_logistic(Task task, const at::Tensor& x, const at::Tensor& labels, int64_t num_classes,
                         const LogisticOptions& options, const LogisticFit* start) {
  const at::NoGradGuard no_grad;
  const OneThread one_thread;
  const LogisticObjective objective(task, x, labels, num_classes, options.l2);
  at::Tensor theta = start == nullptr ? at::zeros({objective.size()}, at::kDouble)
                                      : at::cat({start->w.flatten(), start->b});
  at::Tensor gradient;
  LogisticFit fit;
  fit.value = objective.value(theta, gradient);
  Curvature curvature;
  for (; fit.iterations < options.most_iterations; ++fit.iterations) {
    const double steepest = gradient.abs().max().item<double>();
    if (steepest < options.tolerance) break;
    const at::Tensor direction = curvature.direction(gradient);
    const double slope = scalar_product(gradient, direction);
    double scale = curvature.empty() ? std::min(1.0, 1 / steepest) : 1.0, value = fit.value;
    at::Tensor moved, new_gradient;
    int halvings = 0;
    for (; halvings < kMostHalvings; ++halvings, scale /= 2) {
      moved = theta.add(direction, scale);
      value = objective.value(moved, new_gradient);
      if (value <= fit.value + kEnough * scale * slope) break;
    }
    if (halvings == kMostHalvings) break;  // as low as f64 resolves
    curvature.add(moved - theta, new_gradient - gradient);
    theta = moved, gradient = new_gradient, fit.value = value;
  }
  fit.w = objective.weights(theta).clone();
  fit.b = objective.intercepts(theta).clone();
  return fit;
}

}  // namespace geniepath::training
