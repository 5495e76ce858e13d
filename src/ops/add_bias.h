// Biases, and their gradients: sums over rows whose bits do not depend on the number of threads.
#pragma once

#include <ATen/core/Tensor.h>

namespace geniepath::ops {

// x [rows, K] + bias [K], differentiable; x itself where the bias is undefined.
at::Tensor add_bias(const at::Tensor& x, const at::Tensor& bias);

// [rows, K] to [K]
at::Tensor sum_of_rows(const at::Tensor& x);

}  // namespace geniepath::ops
