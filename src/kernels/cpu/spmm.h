// Sparse times dense: out[r] = sum over the entries of row r of value[entry] x[column].
//   x: [columns, K]   out: [rows, K]   value: one an entry by position, or null for all ones
// Long rows are split; nothing is added atomically.
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
};

void run(const Spmm& op);

}  // namespace geniepath::kernels::cpu
