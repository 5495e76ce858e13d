#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/gates.h"

namespace geniepath::kernels::cuda {
namespace {

__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

struct Gates {
  float input, forget, output, candidate;
};

template <int kWide>
__device__ void load_gates(const float* pre, const float* bias, int64_t row, int64_t k, int64_t width,
                           Gates (&gates)[kWide]) {
  float x[4][kWide];
#pragma unroll
  for (int gate = 0; gate < 4; ++gate) {
    load_some<kWide>(pre + row * 4 * width + gate * width + k, x[gate]);
    if (bias == nullptr) continue;
#pragma unroll
    for (int c = 0; c < kWide; ++c) x[gate][c] += bias[gate * width + k + c];
  }
#pragma unroll
  for (int c = 0; c < kWide; ++c) gates[c] = {sigmoid(x[0][c]), sigmoid(x[1][c]), sigmoid(x[2][c]), tanhf(x[3][c])};
}

// Each thread processes kWide values of a row; n counts them across all rows.
template <int kWide>
__global__ void __launch_bounds__(kThreads) forward_kernel(GatesForward op) {
  const int64_t n = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kWide;
  if (n >= op.rows * op.width) return;
  Gates gates[kWide];
  float memory[kWide] = {}, out[kWide];
  load_gates<kWide>(op.pre, op.bias, n / op.width, n % op.width, op.width, gates);
  if (op.memory != nullptr) load_some<kWide>(op.memory + n, memory);
#pragma unroll
  for (int c = 0; c < kWide; ++c) {
    memory[c] = gates[c].forget * memory[c] + gates[c].input * gates[c].candidate;
    out[c] = gates[c].output * tanhf(memory[c]);
  }
  store_some<kWide>(op.new_memory + n, memory);
  store_some<kWide>(op.out + n, out);
}

template <int kWide>
__global__ void __launch_bounds__(kThreads) backward_kernel(GatesBackward op) {
  const int64_t n = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kWide;
  if (n >= op.rows * op.width) return;
  Gates gates[kWide];
  float memory[kWide] = {}, grad_out[kWide] = {}, grad_memory[kWide] = {}, grad[4][kWide];
  load_gates<kWide>(op.pre, op.bias, n / op.width, n % op.width, op.width, gates);
  if (op.memory != nullptr) load_some<kWide>(op.memory + n, memory);
  if (op.grad_out != nullptr) load_some<kWide>(op.grad_out + n, grad_out);
  if (op.grad_new_memory != nullptr) load_some<kWide>(op.grad_new_memory + n, grad_memory);
#pragma unroll
  for (int c = 0; c < kWide; ++c) {
    const Gates& g = gates[c];
    const float squashed = tanhf(g.forget * memory[c] + g.input * g.candidate);
    grad_memory[c] += grad_out[c] * g.output * (1.0f - squashed * squashed);
    grad[0][c] = grad_memory[c] * g.candidate * g.input * (1.0f - g.input);
    grad[1][c] = grad_memory[c] * memory[c] * g.forget * (1.0f - g.forget);
    grad[2][c] = grad_out[c] * squashed * g.output * (1.0f - g.output);
    grad[3][c] = grad_memory[c] * g.input * (1.0f - g.candidate * g.candidate);
    grad_memory[c] *= g.forget;
  }
  float* pre = op.pre + n / op.width * 4 * op.width + n % op.width;
#pragma unroll
  for (int gate = 0; gate < 4; ++gate) store_some<kWide>(pre + gate * op.width, grad[gate]);
  if (op.grad_memory != nullptr) store_some<kWide>(op.grad_memory + n, grad_memory);
}

}  // namespace

void run(const GatesForward& op) {
  const bool fours = op.width % 4 == 0 && aligned_16({op.pre, op.memory, op.new_memory, op.out});
  launch_elementwise("gates_forward", forward_kernel<4>, forward_kernel<1>, fours, op.rows * op.width, op);
}

void run(const GatesBackward& op) {
  const bool fours =
      op.width % 4 == 0 && aligned_16({op.pre, op.memory, op.grad_out, op.grad_new_memory, op.grad_memory});
  launch_elementwise("gates_backward", backward_kernel<4>, backward_kernel<1>, fours, op.rows * op.width, op);
}

}  // namespace geniepath::kernels::cuda
