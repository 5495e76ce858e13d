#include "kernels/cuda/elementwise.h"

#include "kernels/cuda/elementwise.cuh"

namespace geniepath::kernels::cuda {
namespace {

template <int kWide>
__global__ void __launch_bounds__(kThreads) bf16_kernel(ToBf16 op) {
  const int64_t n = first_of_thread(kWide);
  if (n >= op.count) return;
  float x[kWide];
  load_some<kWide>(op.from + n, x);
  store_some<kWide>(op.to + n, x);
}

template <int kWide>
__global__ void __launch_bounds__(kThreads) tanh_kernel(TanhForward op) {
  const int64_t n = first_of_thread(kWide);
  if (n >= op.rows * op.width) return;
  float y[kWide];
  load_some<kWide>(op.y + n, y);
#pragma unroll
  for (int c = 0; c < kWide; ++c) y[c] = tanhf(op.bias == nullptr ? y[c] : y[c] + op.bias[(n + c) % op.width]);
  store_some<kWide>(op.y + n, y);
}

template <int kWide>
__global__ void __launch_bounds__(kThreads) tanh_backward_kernel(TanhBackward op) {
  const int64_t n = first_of_thread(kWide);
  if (n >= op.count) return;
  float y[kWide], grad[kWide];
  load_some<kWide>(op.y + n, y);
  load_some<kWide>(op.grad_y + n, grad);
#pragma unroll
  for (int c = 0; c < kWide; ++c) grad[c] *= 1.0f - y[c] * y[c];
  store_some<kWide>(op.grad_x + n, grad);
}

}  // namespace

void run(const ToBf16& op) {
  const bool fours = op.count % 4 == 0 && aligned_16({op.from, op.to});
  launch_elementwise("to_bf16", bf16_kernel<4>, bf16_kernel<1>, fours, op.count, op);
}
void run(const TanhForward& op) {
  const int64_t count = op.rows * op.width;
  launch_elementwise("tanh_forward", tanh_kernel<4>, tanh_kernel<1>, count % 4 == 0 && aligned_16({op.y}), count, op);
}
void run(const TanhBackward& op) {
  const bool fours = op.count % 4 == 0 && aligned_16({op.y, op.grad_y, op.grad_x});
  launch_elementwise("tanh_backward", tanh_backward_kernel<4>, tanh_backward_kernel<1>, fours, op.count, op);
}

}  // namespace geniepath::kernels::cuda
