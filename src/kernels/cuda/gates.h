// The depth function's gate stage in one pass over the four pre-activations, on the GPU.
//
//   i, f, o = sigmoid(pre_i), sigmoid(pre_f), sigmoid(pre_o)     c = tanh(pre_c)
//   memory' = f * memory + i * c     out = o * tanh(memory')                                  (paper, depth function)
//   pre: [rows, 4K], the four side by side as i f o c   bias: [4K] or null   memory, new_memory, out: [rows, K]
// The gates are not kept: backward gets recomputed pre-activations, since the product costs less than their memory.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// memory null: all zeros.
struct GatesForward {
  int64_t rows, width;
  const float* pre;
  const float* bias;
  const float* memory;
  float* new_memory;
  float* out;
  Stream stream;
};

// Overwrites pre by its gradient, and grad_memory (null: not wanted). memory, grad_out and grad_new_memory null: zeros.
struct GatesBackward {
  int64_t rows, width;
  float* pre;
  const float* bias;
  const float* memory;
  const float* grad_out;
  const float* grad_new_memory;
  float* grad_memory;
  Stream stream;
};

void run(const GatesForward& op);
void run(const GatesBackward& op);

}  // namespace geniepath::kernels::cuda
