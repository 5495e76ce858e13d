// The depth function's gates, written as their formulas, in any precision.
//
//   i, f, o = sigmoid(pre_i), sigmoid(pre_f), sigmoid(pre_o)     c = tanh(pre_c)
//   memory' = f * memory + i * c     out = o * tanh(memory')
//   pre, gates: [N, 4K], the four side by side as i f o c   memory, memory', out: [N, K]
#pragma once

#include <cmath>
#include <cstdint>

namespace geniepath::kernels::reference {

template <class T>
T sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

// gates may be pre itself. memory may be null: all zeros.
template <class T>
void gates_forward(int64_t rows, int64_t width, const T* pre, const T* memory, T* gates, T* new_memory, T* out) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < width; ++k) {
      const int64_t at = r * 4 * width + k, to = r * width + k;
      const T input = sigmoid(pre[at]), forget = sigmoid(pre[at + width]);
      const T output = sigmoid(pre[at + 2 * width]), candidate = std::tanh(pre[at + 3 * width]);
      const T kept = memory == nullptr ? T{0} : forget * memory[to];
      new_memory[to] = kept + input * candidate;
      out[to] = output * std::tanh(new_memory[to]);
      gates[at] = input;
      gates[at + width] = forget;
      gates[at + 2 * width] = output;
      gates[at + 3 * width] = candidate;
    }
  }
}

// Overwrites grad_pre [N, 4K] and grad_memory [N, K] (null: not wanted). grad_new_memory may be null: all zeros.
template <class T>
void gates_backward(int64_t rows, int64_t width, const T* gates, const T* memory, const T* new_memory,
                    const T* grad_out, const T* grad_new_memory, T* grad_pre, T* grad_memory) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < width; ++k) {
      const int64_t at = r * 4 * width + k, to = r * width + k;
      const T input = gates[at], forget = gates[at + width];
      const T output = gates[at + 2 * width], candidate = gates[at + 3 * width];
      const T squashed = std::tanh(new_memory[to]);
      const T old = memory == nullptr ? T{0} : memory[to];
      const T grad_c = (grad_new_memory == nullptr ? T{0} : grad_new_memory[to]) +
                       grad_out[to] * output * (1 - squashed * squashed);
      grad_pre[at] = grad_c * candidate * input * (1 - input);
      grad_pre[at + width] = grad_c * old * forget * (1 - forget);
      grad_pre[at + 2 * width] = grad_out[to] * squashed * output * (1 - output);
      grad_pre[at + 3 * width] = grad_c * input * (1 - candidate * candidate);
      if (grad_memory != nullptr) grad_memory[to] = grad_c * forget;
    }
  }
}

}  // namespace geniepath::kernels::reference
