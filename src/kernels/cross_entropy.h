// Sigmoid cross-entropy and its gradient in one pass over the logits, summed in f64 in a fixed order.
//   loss = mean of  -(w t log sigma(x) + (1 - t) log(1 - sigma(x)))     grad = d loss / d x
//   logits x, targets t, grad: [rows, width]   positive_weight w: [width] or null for ones   loss: [1]
#pragma once

#include <cstdint>

namespace geniepath::kernels {

// Overwrites grad and loss.
struct SigmoidCrossEntropy {
  int64_t rows, width;
  const float* logits;
  const float* targets;
  const float* positive_weight;
  float* grad;
  float* loss;
};

}  // namespace geniepath::kernels
