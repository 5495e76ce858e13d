// Sparse matrices.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "geniepath/export.h"
#include "geniepath/graph.h"
#include "geniepath/shared_array.h"

namespace geniepath GENIEPATH_EXPORT {

// Compressed sparse rows of f32: row r has value[at] in column[at] for at in offset[r] .. offset[r + 1] - 1.
struct SparseMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  SharedArray<int64_t> offset;  // rows + 1
  SharedArray<int32_t> column;
  SharedArray<float> value;

  int64_t num_nonzeros() const { return value.size(); }
  SparseMatrix transposed() const;
  SparseMatrix select_rows(std::span<const NodeId> rows) const;  // in the order given
  at::Tensor to_dense() const;  // [rows, columns]
};

// The nonzero entries of a dense f32 matrix on the CPU, in ascending columns.
SparseMatrix sparse_of(const at::Tensor& dense);

}  // namespace geniepath
