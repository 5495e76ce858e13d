// Sparse times dense: out[r] = row_scale[r] sum over the entries of row r of value[entry] column_scale[c] x[c].
//   x: [columns, K]   out: [rows, K]   value: one per entry   row_scale: [rows]   column_scale: [columns]
// value and the scales may be null: all ones. Every normalisation of an adjacency matrix here is a pair of scales, so
// its transpose needs no weights of its own. Overwrites out; a row without entries gives zeros. Long rows are split;
// there are no atomic additions.
#pragma once

#include <cstdint>

namespace geniepath::kernels {

template <class AnyRows>
struct Spmm {
  AnyRows rows;
  const float* value;
  int64_t width;
  const float* x;
  float* out;
  const float* row_scale;
  const float* column_scale;
};

}  // namespace geniepath::kernels
