// Passes over whole arrays on the GPU: storage conversion, activations, dropout. Pointers are device pointers.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"
#include "kernels/cuda/mask_key.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// to = from, rounded to bf16.
struct ToBf16 {
  int64_t count;
  const float* from;
  Bf16* to;
  Stream stream;
};

// y = tanh(y + bias), in place; y: [rows, width], bias: [width] or null.
struct TanhForward {
  int64_t rows, width;
  const float* bias;
  float* y;
  Stream stream;
};

// grad_x = grad_y (1 - y^2)
struct TanhBackward {
  int64_t count;
  const float* y;
  const float* grad_y;
  float* grad_x;
  Stream stream;
};

// As in kernels/cpu/elementwise.h, with the same mask.
struct Dropout {
  int64_t count;
  DeviceMaskKey key;
  double rate;
  const float* x;
  float* y;
  Stream stream;
};

void run(const ToBf16& op);
void run(const TanhForward& op);
void run(const TanhBackward& op);
void run(const Dropout& op);

}  // namespace geniepath::kernels::cuda
