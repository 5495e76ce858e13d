// Activations whose bits do not depend on the number of threads. LibTorch's own may: each thread's part ends in values that
// do not fill a vector, and those go through another formula.
#pragma once

#include <ATen/core/Tensor.h>

namespace geniepath::ops {

// y = tanh(y + bias) in place; the bias may be undefined.
void tanh_in_place(at::Tensor& y, const at::Tensor& bias);
// grad_y (1 - y^2)
at::Tensor tanh_gradient(const at::Tensor& y, const at::Tensor& grad_y);

// Differentiable, of matrices.
at::Tensor tanh(const at::Tensor& x);
at::Tensor sigmoid(const at::Tensor& x);
at::Tensor elu(const at::Tensor& x);

}  // namespace geniepath::ops
