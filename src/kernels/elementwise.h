// Passes over whole arrays: storage conversion, activations.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace geniepath::kernels {

// to = from, rounded to bf16.
struct ToBf16 {
  int64_t count;
  const float* from;
  Bf16* to;
};

// y = tanh(y + bias), in place; y: [rows, width], bias: [width] or null.
struct TanhForward {
  int64_t rows, width;
  const float* bias;
  float* y;
};

// grad_x = grad_y (1 - y^2)
struct TanhBackward {
  int64_t count;
  const float* y;
  const float* grad_y;
  float* grad_x;
};

}  // namespace geniepath::kernels
