#include "geniepath/sparse_matrix.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "base/large_array.h"
#include "base/parallel.h"
#include "geniepath/error.h"
#include "graph/buckets.h"
#include "graph/transposition.h"

namespace geniepath {

SparseMatrix SparseMatrix::transposed() const {
  const auto turned = geniepath::transposed<float>(offset.span(), column.span(), columns,
                                                   [this](int64_t entry) { return value[entry]; });
  return {columns, rows, turned.offset.share(), turned.row.share(), turned.carried.share()};
}

SparseMatrix SparseMatrix::select_rows(std::span<const NodeId> chosen) const {
  const auto rows_chosen = std::ssize(chosen);
  LargeArray<int64_t> start(rows_chosen + 1);
  in_parallel(rows_chosen, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const NodeId row = chosen[static_cast<size_t>(r)];
      start[r + 1] = offset[row + 1] - offset[row];
    }
  });
  accumulate(start.data(), rows_chosen);
  LargeArray<int32_t> column_chosen(start[rows_chosen]);
  LargeArray<float> value_chosen(start[rows_chosen]);
  in_parallel(rows_chosen, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const NodeId row = chosen[static_cast<size_t>(r)];
      std::ranges::copy(column.span(offset[row], offset[row + 1]), column_chosen.data() + start[r]);
      std::ranges::copy(value.span(offset[row], offset[row + 1]), value_chosen.data() + start[r]);
    }
  });
  return {rows_chosen, columns, start.share(), column_chosen.share(), value_chosen.share()};
}

at::Tensor SparseMatrix::to_dense() const {
  at::Tensor dense = at::zeros({rows, columns}, at::kFloat);
  float* out = dense.data_ptr<float>();
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t at = offset[r]; at < offset[r + 1]; ++at) out[r * columns + column[at]] += value[at];
  }
  return dense;
}

SparseMatrix sparse_of(const at::Tensor& dense) {
  if (dense.dim() != 2 || dense.scalar_type() != at::kFloat || !dense.is_cpu()) {
    fail("sparse_of: dense has shape ", c10::str(dense.sizes()), " of ", dense.toString(),
         ", expected f32 [rows, columns] on the CPU");
  }
  const at::Tensor whole = dense.contiguous();
  const int64_t rows = whole.size(0), columns = whole.size(1);
  const float* in = whole.data_ptr<float>();
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c, ++in) {
      if (*in != 0) column.push_back(static_cast<int32_t>(c)), value.push_back(*in);
    }
    offset.push_back(std::ssize(value));
  }
  return {rows, columns, std::move(offset), std::move(column), std::move(value)};
}

}  // namespace geniepath
