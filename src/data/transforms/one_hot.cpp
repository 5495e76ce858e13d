#include "data/transforms/one_hot.h"

#include <numeric>

namespace geniepath {

SparseMatrix one_hot_ids(NodeId nodes) {
  const auto rows = static_cast<size_t>(nodes);
  std::vector<int64_t> offset(rows + 1);
  std::iota(offset.begin(), offset.end(), 0);
  std::vector<int32_t> column(rows);
  std::iota(column.begin(), column.end(), 0);
  return {nodes, nodes, std::move(offset), std::move(column), std::vector<float>(rows, 1)};
}

bool is_one_hot_ids(const Features& features) {
  if (!features.is_sparse()) return false;
  const SparseMatrix& x = features.sparse();
  if (x.rows != x.columns || x.num_nonzeros() != x.rows) return false;
  for (int64_t row = 0; row < x.rows; ++row) {
    const auto at = static_cast<size_t>(row);
    if (x.offset[at] != row || x.column[at] != row || x.value[at] != 1) return false;
  }
  return true;
}

}  // namespace geniepath
