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

}  // namespace geniepath
