// Random neighbours of a node other than itself: the first `most` in an order that key and node determine.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "kernels/rows.h"

namespace geniepath::ops {

inline std::vector<int32_t> drawn_neighbours(const kernels::Rows& rows, int64_t node, int64_t most, uint64_t key) {
  std::vector<int32_t> drawn;
  for (int64_t e = rows.offset[node]; e < rows.offset[node + 1]; ++e) {
    if (rows.neighbour[e] != node) drawn.push_back(rows.neighbour[e]);
  }
  shuffle(drawn, Random{key, static_cast<uint64_t>(node)});
  drawn.resize(std::min(drawn.size(), static_cast<size_t>(most)));
  return drawn;
}

}  // namespace geniepath::ops
