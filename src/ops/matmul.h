// Dense products into a given tensor, by the fastest way there is for the dtype.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/ops.h"

namespace geniepath::ops {

enum class Transpose { kNo, kYes };

// c = op(a) op(b), or c += where accumulate. a and b are operands of that precision (as_operand), or both f64; c is f32
// (f64 for f64); rows of each are contiguous.
void matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                 Precision precision, bool accumulate = false);

// Whether products of such operands are ours, whose bits do not depend on threads and of which several may run at once,
// or LibTorch's, which bring their own threads.
bool matmul_is_ours(const at::Tensor& operand);

// x as products in this precision take it: a bf16 copy where bf16 products are faster than f32's, else x itself.
at::Tensor as_operand(const at::Tensor& x, Precision precision);

// x as kernels that gather its rows take it in this precision: a bf16 copy, or x itself.
at::Tensor as_stored(const at::Tensor& x, Precision precision);

}  // namespace geniepath::ops
