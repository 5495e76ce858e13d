// Sigmoid cross-entropy and its gradient in one pass over the logits, on the GPU.
//   loss = mean of  -(w t log sigma(x) + (1 - t) log(1 - sigma(x)))     grad = d loss / d x
//   logits x, targets t, grad: [rows, width]   positive_weight w: [width] or null for ones   loss: [1]
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// Overwrites grad and loss. scratch: [kLossBlocks] doubles. Summed in double in a fixed order.
constexpr int64_t kLossBlocks = 1024;
struct SigmoidCrossEntropy {
  int64_t rows, width;
  const float* logits;
  const float* targets;
  const float* positive_weight;
  float* grad;
  float* loss;
  double* scratch;
  Stream stream;
};

void run(const SigmoidCrossEntropy& op);

}  // namespace geniepath::kernels::cuda
