// Biases and their gradients, which are sums over rows; their bits do not depend on the number of threads.
#pragma once

#include <ATen/core/Tensor.h>

namespace geniepath::ops {

// x [rows, K] + bias [K], differentiable; x itself if the bias is undefined.
at::Tensor add_bias(const at::Tensor& x, const at::Tensor& bias);

// [rows, K] -> [K]. Not differentiable.
at::Tensor sum_of_rows(const at::Tensor& x);

}  // namespace geniepath::ops
