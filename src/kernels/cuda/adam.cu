#include "kernels/cuda/adam.h"

#include "kernels/cuda/block_sum.cuh"

namespace geniepath::kernels::cuda {
namespace {

__global__ void __launch_bounds__(kThreads) squares_kernel(GradientNorm op) {
  double sum = 0;
  for (int64_t n = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; n < op.count;
       n += kNormBlocks * kThreads) {
    sum += static_cast<double>(op.grad[n]) * static_cast<double>(op.grad[n]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) op.scratch[blockIdx.x] = sum;
}

static_assert(kNormBlocks == kThreads);
__global__ void __launch_bounds__(kThreads) norm_kernel(GradientNorm op) {
  const double sum = block_sum(op.scratch[threadIdx.x]);
  if (threadIdx.x == 0) *op.norm = static_cast<float>(sqrt(sum));
}

__global__ void __launch_bounds__(kThreads) adam_kernel(AdamStep op) {
  const int64_t n = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (n >= op.count) return;
  const float shrink = op.clip > 0 && *op.norm > op.clip ? op.clip / *op.norm : 1.0f;
  const float weight = op.weight[n], grad = fmaf(op.l2, weight, op.grad[n] * shrink);
  const float m = fmaf(op.beta1, op.m[n], (1.0f - op.beta1) * grad);
  const float v = fmaf(op.beta2, op.v[n], (1.0f - op.beta2) * grad * grad);
  op.m[n] = m;
  op.v[n] = v;
  const float shrunk = op.decay == nullptr ? weight : weight - op.learning_rate * op.decay[n] * weight;
  const float updated = shrunk - op.step_size * m / (sqrtf(v) / op.v_correction + op.epsilon);
  op.weight[n] = updated;
  if (op.average != nullptr) op.average[n] = fmaf(op.keep, op.average[n], (1.0f - op.keep) * updated);
  op.grad[n] = 0;
}

}  // namespace

void run(const GradientNorm& op) {
  launch("gradient_norm", squares_kernel, kNormBlocks, kThreads, op.stream, op);
  launch("gradient_norm", norm_kernel, 1, kThreads, op.stream, op);
}

void run(const AdamStep& op) {
  launch("adam", adam_kernel, blocks_for(op.count, kThreads), kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
