// The depth function's gate stage in one pass over the four pre-activations.
//
//   i, f, o = sigmoid(pre_i), sigmoid(pre_f), sigmoid(pre_o)     c = tanh(pre_c)
//   memory' = f * memory + i * c     out = o * tanh(memory')                                  (paper, depth function)
//   pre, gates: [rows, 4K], the four side by side as i f o c   memory, new_memory, out: [rows, K]
#pragma once

#include <cstdint>

namespace geniepath::kernels::cpu {

// gates holds the pre-activations and is overwritten by the gates, as backward needs them. memory null: all zeros.
struct GatesForward {
  int64_t rows, width;
  float* gates;
  const float* memory;
  float* new_memory;
  float* out;
  int threads;
};

// Overwrites grad_pre [rows, 4K] and grad_memory (null: not wanted). memory and grad_new_memory null: all zeros.
struct GatesBackward {
  int64_t rows, width;
  const float* gates;
  const float* memory;
  const float* new_memory;
  const float* grad_out;
  const float* grad_new_memory;
  float* grad_pre;
  float* grad_memory;
  int threads;
};

void run(const GatesForward& op);
void run(const GatesBackward& op);

}  // namespace geniepath::kernels::cpu
