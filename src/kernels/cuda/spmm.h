// Sparse times dense on the GPU: out[r] = row_scale[r] sum over the entries of row r of value[entry]
// column_scale[column] x[column].
//   x: [columns, K]   out: [rows, K]   value: one per entry, by edge id   row_scale: [rows]   column_scale: [columns], each
//   null for all ones   scratch: [pieces, K]
// Long rows are split and merged in order, without atomic additions. K up to kLargestWidth at a time.
#pragma once

#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

struct Spmm {
  DeviceRows rows;
  const float* value;
  int64_t width;
  const float* x;
  float* out;
  float* scratch;
  const float* row_scale;
  const float* column_scale;
  Stream stream;
};

void run(const Spmm& op);

}  // namespace geniepath::kernels::cuda
