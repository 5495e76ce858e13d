// Logistic regression on given rows: softmax for one of several classes, one-vs-rest for several labels or one.
//   minimises  mean over the rows of the cross-entropy  +  l2/2 |w|^2        (the intercepts b go free)
// L-BFGS in f64 on one thread, so that the result depends on nothing but the arguments.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/dataset.h"

namespace geniepath::training {

struct LogisticFit {
  at::Tensor w, b;  // f64 [D, C], [C]: C columns as num_outputs() has them
  double value = 0;  // of what is minimised
  int64_t iterations = 0;
};

struct LogisticOptions {
  double l2 = 0;
  int64_t most_iterations = 200;
  double tolerance = 1e-6;  // of the largest entry of the gradient
};

// x: f32 or f64 [M, D], labels as in Dataset. `start`, where given, is where the search begins.
LogisticFit fit_logistic(Task task, const at::Tensor& x, const at::Tensor& labels, int64_t num_classes,
                         const LogisticOptions& options, const LogisticFit* start = nullptr);

}  // namespace geniepath::training
