#include "kernels/cuda/cross_entropy.h"

#include "kernels/cuda/block_sum.cuh"

namespace geniepath::kernels::cuda {
namespace {

__global__ void __launch_bounds__(kThreads) loss_kernel(SigmoidCrossEntropy op) {
  const int64_t count = op.rows * op.width;
  const float scale = 1.0f / static_cast<float>(count);
  double sum = 0;
  for (int64_t n = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; n < count; n += kLossBlocks * kThreads) {
    const float x = op.logits[n], t = op.targets[n];
    const float w = op.positive_weight == nullptr ? 1.0f : op.positive_weight[n % op.width];
    const float small = expf(-fabsf(x));                       // e^-|x|, which cannot overflow
    const float softplus_of_minus = fmaxf(-x, 0.0f) + log1pf(small);  // -log sigma(x)
    const float sigma = (x >= 0 ? 1.0f : small) / (1.0f + small);
    sum += static_cast<double>(w * t * softplus_of_minus + (1.0f - t) * (x + softplus_of_minus));
    op.grad[n] = scale * ((1.0f - t) * sigma - w * t * (1.0f - sigma));
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) op.scratch[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(kThreads) mean_kernel(SigmoidCrossEntropy op) {
  double sum = 0;
  for (int64_t n = threadIdx.x; n < kLossBlocks; n += kThreads) sum += op.scratch[n];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *op.loss = static_cast<float>(sum / static_cast<double>(op.rows * op.width));
}

}  // namespace

void run(const SigmoidCrossEntropy& op) {
  launch("sigmoid_cross_entropy", loss_kernel, kLossBlocks, kThreads, op.stream, op);
  launch("sigmoid_cross_entropy", mean_kernel, 1, kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
