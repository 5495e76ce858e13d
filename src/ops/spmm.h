// Sparse times dense:   out[r] = row_scale[r] sum over the entries of row r of value column_scale[c] x[c]
//   value: [entries], f32 or x's dtype   x: [columns, K]   row_scale: [rows]   column_scale: [columns]   out: [rows, K]
// An undefined value or scale stands for ones. Not differentiable.
#pragma once

#include <ATen/core/Tensor.h>

#include "ops/index_tensors.h"

namespace geniepath::ops {

at::Tensor spmm(const RowTensors& rows, const at::Tensor& value, const at::Tensor& x, const at::Tensor& row_scale = {},
                const at::Tensor& column_scale = {});

// Rows [first, last) of spmm(rows, {}, x) into out, f32 or f64 on the CPU.
void sum_rows_on_cpu(const RowTensors& rows, int64_t first, int64_t last, const at::Tensor& x, const at::Tensor& out);

}  // namespace geniepath::ops
