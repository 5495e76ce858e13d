#include "bench/plain_graph.h"

#include <algorithm>
#include <numeric>

namespace geniepath::bench {

PlainRows plain_rows(int32_t nodes, std::span<const int32_t> source, std::span<const int32_t> target) {
  PlainRows rows{std::vector<int64_t>(static_cast<size_t>(nodes) + 1, 0), std::vector<int32_t>(2 * source.size())};
  for (const auto ends : {source, target}) {
    for (const int32_t node : ends) ++rows.offset[static_cast<size_t>(node) + 1];
  }
  std::partial_sum(rows.offset.begin(), rows.offset.end(), rows.offset.begin());
  std::vector<int64_t> next(rows.offset.begin(), rows.offset.end() - 1);
  for (size_t e = 0; e < source.size(); ++e) {
    rows.neighbour[static_cast<size_t>(next[static_cast<size_t>(target[e])]++)] = source[e];
    rows.neighbour[static_cast<size_t>(next[static_cast<size_t>(source[e])]++)] = target[e];
  }
  int64_t kept = 0;
  for (size_t row = 0; row < static_cast<size_t>(nodes); ++row) {
    const auto begin = rows.neighbour.begin() + (row == 0 ? 0 : next[row - 1]),
               end = rows.neighbour.begin() + next[row];
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    rows.offset[row] = kept;
    kept += std::copy(begin, last, rows.neighbour.begin() + kept) - (rows.neighbour.begin() + kept);
  }
  rows.offset.back() = kept;
  rows.neighbour.resize(static_cast<size_t>(kept));
  return rows;
}

PlainTranspose plain_transpose(const PlainRows& rows) {
  PlainTranspose turned{{std::vector<int64_t>(rows.offset.size(), 0), std::vector<int32_t>(rows.neighbour.size())},
                        std::vector<int64_t>(rows.neighbour.size())};
  for (const int32_t column : rows.neighbour) ++turned.rows.offset[static_cast<size_t>(column) + 1];
  std::partial_sum(turned.rows.offset.begin(), turned.rows.offset.end(), turned.rows.offset.begin());
  std::vector<int64_t> next(turned.rows.offset.begin(), turned.rows.offset.end() - 1);
  for (size_t row = 0; row + 1 < rows.offset.size(); ++row) {
    for (int64_t e = rows.offset[row]; e < rows.offset[row + 1]; ++e) {
      const auto to = static_cast<size_t>(next[static_cast<size_t>(rows.neighbour[static_cast<size_t>(e)])]++);
      turned.rows.neighbour[to] = static_cast<int32_t>(row);
      turned.edge[to] = e;
    }
  }
  return turned;
}

}  // namespace geniepath::bench
