// Passes over whole arrays: storage conversion, activations, dropout.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace geniepath::kernels::cpu {

// to = from, rounded to bf16.
struct ToBf16 {
  int64_t count;
  const float* from;
  Bf16* to;
  int threads;
};

// y = tanh(y + bias), in place; y: [rows, width], bias: [width] or null.
struct TanhForward {
  int64_t rows, width;
  const float* bias;
  float* y;
  int threads;
};

// grad_x = grad_y (1 - y^2)
struct TanhBackward {
  int64_t count;
  const float* y;
  const float* grad_y;
  float* grad_x;
  int threads;
};

// y[n] = x[n] / (1 - rate) where uniform number n of the stream `key` is at least `rate`, else 0. The same call on the
// gradient is its own backward pass. y may be x.
struct Dropout {
  int64_t count;
  uint64_t key;
  double rate;
  const float* x;
  float* y;
  int threads;
};

void run(const ToBf16& op);
void run(const TanhForward& op);
void run(const TanhBackward& op);
void run(const Dropout& op);

}  // namespace geniepath::kernels::cpu
