// Logistic regression: softmax for multi-class tasks, one-vs-rest for multi-label and binary ones. Minimises
//   mean over the rows of the cross-entropy  +  l2/2 |w|^2        (the intercepts b are not penalised)
// by L-BFGS in f64 on one thread, so that the result depends only on the arguments.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/dataset.h"

namespace geniepath::training {

struct LogisticFit {
  at::Tensor w, b;  // f64 [D, C], [C], where C = num_outputs()
  double value = 0;  // of the objective
  int64_t iterations = 0;
};

struct LogisticOptions {
  double l2 = 0;
  int64_t most_iterations = 200;
  double tolerance = 1e-6;  // on the largest magnitude in the gradient
};

// x: f32 or f64 [M, D]; labels as in Dataset. `start`: optional starting point.
LogisticFit fit_logistic(Task task, const at::Tensor& x, const at::Tensor& labels, int64_t num_classes,
                         const LogisticOptions& options, const LogisticFit* start = nullptr);

}  // namespace geniepath::training
