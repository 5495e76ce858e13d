// One step of Adam over all weights at once, on the GPU, without synchronising with the host.
//   weight, grad, m, v: [count]   norm: [1], the gradient's, for clipping and for the record
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// norm = sqrt(sum of grad^2), summed in double in a fixed order. scratch: [kNormBlocks] doubles.
constexpr int64_t kNormBlocks = 256;
struct GradientNorm {
  int64_t count;
  const float* grad;
  double* scratch;
  float* norm;
  Stream stream;
};

// The update of training/adam.h; afterwards grad is 0. step_size and v_correction include the bias corrections.
// decay, average: [count], or nullptr without
struct AdamStep {
  int64_t count;
  float* weight;
  float* grad;
  float* m;
  float* v;
  const float* norm;
  const float* decay;
  float* average;
  float clip, l2, beta1, beta2, epsilon, learning_rate, step_size, v_correction, keep;
  Stream stream;
};

void run(const GradientNorm& op);
void run(const AdamStep& op);

}  // namespace geniepath::kernels::cuda
