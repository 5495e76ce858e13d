// Two communities of `half` nodes each; a node has `inside` random edges to its own and `outside` to the other.
#pragma once

#include "base/random.h"
#include "geniepath/graph.h"

namespace geniepath::testing {

inline Graph planted_graph(NodeId half, int inside, int outside, uint64_t seed) {
  Random random{seed};
  std::vector<NodeId> source, target;
  for (NodeId node = 0; node < 2 * half; ++node) {
    const NodeId own = node < half ? 0 : half;
    for (int e = 0; e < inside + outside; ++e) {
      const NodeId side = e < inside ? own : half - own;
      source.push_back(node);
      target.push_back(side + static_cast<NodeId>(random.below(static_cast<uint64_t>(half))));
    }
  }
  return Graph::from_edges(2 * half, source, target, {.symmetrise = true, .self_loops = SelfLoops::kRemove});
}

}  // namespace geniepath::testing
