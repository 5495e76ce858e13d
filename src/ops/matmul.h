// Dense products into a given tensor, by the fastest method for its dtype and device.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/ops.h"

namespace geniepath::ops {

enum class Transpose { kNo, kYes };

// c = op(a) op(b), or c += op(a) op(b) with `accumulate`. a and b are operands of this precision (as_operand), or both
// f64; c is f32 (f64 for f64). Rows of each are contiguous.
void matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                 Precision precision, bool accumulate = false);

// Whether products of such operands use our kernels, whose bits do not depend on threads and of which several may run
// at once, or LibTorch's, which use threads of their own.
bool matmul_is_ours(const at::Tensor& operand);

// x as an operand of products in this precision: a bf16 copy where bf16 products are faster than f32 ones, else x.
at::Tensor as_operand(const at::Tensor& x, Precision precision);

// x as stored for kernels that gather its rows, in this precision: a bf16 copy, or x itself.
at::Tensor as_stored(const at::Tensor& x, Precision precision);

}  // namespace geniepath::ops
