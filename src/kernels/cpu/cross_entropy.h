// Sigmoid cross-entropy and its gradient in one pass over the logits; as kernels/cuda/cross_entropy.h.
//   loss = mean of  -(w t log sigma(x) + (1 - t) log(1 - sigma(x)))     grad = d loss / d x
//   logits x, targets t, grad: [rows, width]   positive_weight w: [width] or null for ones   loss: [1]
// One task per block of rows of fixed length, summed in f64 in order: the bits do not depend on threads.
#pragma once

#include <cstdint>

namespace geniepath::kernels::cpu {

struct SigmoidCrossEntropy {
  int64_t rows, width;
  const float* logits;
  const float* targets;
  const float* positive_weight;
  float* grad;
  float* loss;
  int threads;
};

void run(const SigmoidCrossEntropy& op);

}  // namespace geniepath::kernels::cpu
