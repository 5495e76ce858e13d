// Sigmoid cross-entropy (kernels/cross_entropy.h) on the GPU.
#pragma once

#include "kernels/cross_entropy.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

constexpr int64_t kLossBlocks = 1024;
struct SigmoidCrossEntropy : kernels::SigmoidCrossEntropy {
  double* scratch;  // [kLossBlocks]
  Stream stream;
};

void run(const SigmoidCrossEntropy& op);

}  // namespace geniepath::kernels::cuda
