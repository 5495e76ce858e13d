// The depth function with its products: pre = x w_x + mu w_mu + bias passes through the gates (kernels/cpu/gates.h) one
// block of rows at a time, while in cache, and the gradient of pre never exists as a whole.
//
//   x, mu: [rows, K] operands of type S   w: [K or 2K, 4K], w_x above w_mu   bias: [4K]   the rest as in gates.h
// Where gates is null in both, they are not kept but computed again in the backward pass, block by block.
// One thread per block. Blocks depend only on the number of rows, so the bits do not depend on threads. mu, bias and
// memory may be null: absent. Needs has_matmul<S>().
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace geniepath::kernels::cpu {

template <class S>
struct GatedMemoryForward {
  int64_t rows, width;
  const S* x;
  const S* mu;
  const S* w;
  const float* bias;
  const float* memory;
  float* gates;
  float* new_memory;
  float* out;
  int threads;
};

// Overwrites every gradient; grad_mu, grad_bias, grad_memory null: not wanted. grad_new_memory null: all zeros.
template <class S>
struct GatedMemoryBackward {
  int64_t rows, width;
  const S* x;
  const S* mu;
  const S* w;
  const float* bias;  // read only where gates is null
  const float* memory;
  const float* gates;
  const float* new_memory;
  const float* grad_out;
  const float* grad_new_memory;
  float* grad_x;
  float* grad_mu;
  float* grad_w;
  float* grad_bias;
  float* grad_memory;
  int threads;
};

void run(const GatedMemoryForward<float>& op);
void run(const GatedMemoryForward<Bf16>& op);
void run(const GatedMemoryBackward<float>& op);
void run(const GatedMemoryBackward<Bf16>& op);

}  // namespace geniepath::kernels::cpu
