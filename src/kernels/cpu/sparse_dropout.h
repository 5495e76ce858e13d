// Dropout on the entries of a sparse matrix: entry (r, c) is kept if element r * columns + c of the dense matrix would
// be, so that sparse and dense features, and a matrix and its transpose, draw the same mask.
#pragma once

#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

// out[at] = value[at] / (1 - rate) or 0. Where `transposed`, rows are the dense matrix's columns.
struct SparseDropout {
  Rows rows;
  bool transposed;
  int64_t columns;  // of the dense matrix
  uint64_t key;
  double rate;
  const float* value;
  float* out;
  int threads;
};

void run(const SparseDropout& op);

}  // namespace geniepath::kernels::cpu
