// Activations whose bits do not depend on the number of threads. LibTorch's own may: it divides the work by threads,
// and the last values of each part, which do not fill a vector, go through another formula.
#pragma once

#include <ATen/core/Tensor.h>

namespace geniepath::ops {

// y = tanh(y + bias) in place.   y: [rows, K]   bias: [K] or undefined
void tanh_in_place(at::Tensor& y, const at::Tensor& bias);
// grad_y (1 - y^2)
at::Tensor tanh_gradient(const at::Tensor& y, const at::Tensor& grad_y);

// Differentiable, for matrices. ops.h has tanh and sigmoid.
at::Tensor elu(const at::Tensor& x);

}  // namespace geniepath::ops
