// Sparse times dense: out[r] = row_scale[r] sum over the entries of row r of value[entry] column_scale[c] x[c].
//   x: [columns, K]   out: [rows, K]   value: one per entry, by position   row_scale: [rows]   column_scale: [columns]
// value and the scales may be null: all ones. Every normalisation of an adjacency matrix here is a pair of scales, so
// its transpose needs no weights of its own. Visits the rows from `first` on and overwrites out; a row without entries gives zeros. Long rows are split;
// there are no atomic additions.
#pragma once

#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

struct Spmm {
  Rows rows;
  const float* value;
  int64_t width;
  const float* x;
  float* out;
  int threads;
  const float* row_scale = nullptr;
  const float* column_scale = nullptr;
};

void run(const Spmm& op);

}  // namespace geniepath::kernels::cpu
