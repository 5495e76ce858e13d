#include "geniepath/sparse_matrix.h"

#include <ATen/ATen.h>

#include <numeric>
#include <vector>

namespace geniepath {

SparseMatrix SparseMatrix::transposed() const {
  std::vector<int64_t> start(static_cast<size_t>(columns) + 1, 0);
  for (const int32_t c : column) ++start[static_cast<size_t>(c) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int64_t> next(start.begin(), start.end() - 1);
  std::vector<int32_t> row_of(column.span().size());
  std::vector<float> moved(column.span().size());
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t at = offset[r]; at < offset[r + 1]; ++at) {
      const auto to = static_cast<size_t>(next[static_cast<size_t>(column[at])]++);
      row_of[to] = static_cast<int32_t>(r);
      moved[to] = value[at];
    }
  }
  return {columns, rows, std::move(start), std::move(row_of), std::move(moved)};
}

SparseMatrix SparseMatrix::select_rows(std::span<const NodeId> chosen) const {
  std::vector<int64_t> start{0};
  std::vector<int32_t> columns_chosen;
  std::vector<float> values_chosen;
  for (const NodeId r : chosen) {
    const auto c = column.span(offset[r], offset[r + 1]);
    const auto v = value.span(offset[r], offset[r + 1]);
    columns_chosen.insert(columns_chosen.end(), c.begin(), c.end());
    values_chosen.insert(values_chosen.end(), v.begin(), v.end());
    start.push_back(static_cast<int64_t>(columns_chosen.size()));
  }
  return {static_cast<int64_t>(chosen.size()), columns, std::move(start), std::move(columns_chosen),
          std::move(values_chosen)};
}

at::Tensor SparseMatrix::to_dense() const {
  at::Tensor dense = at::zeros({rows, columns}, at::kFloat);
  float* out = dense.data_ptr<float>();
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t at = offset[r]; at < offset[r + 1]; ++at) out[r * columns + column[at]] += value[at];
  }
  return dense;
}

}  // namespace geniepath
