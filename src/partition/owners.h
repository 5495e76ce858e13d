// Which process owns which node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::partition {

// Largest share of the work over the mean, beyond which edges are cut rather than components kept whole.
inline constexpr double kUneven = 1.03;

// The cost of a node, in edges: its products cost about as much as 32 edges, at usual widths.
inline int32_t work_of(const Graph& graph, NodeId node) {
  constexpr int64_t kEdgesPerNode = 32, kMost = 1 << 20;
  return static_cast<int32_t>(std::min<int64_t>(kEdgesPerNode + graph.incoming().degree(node), kMost));
}

// Gives whole components of nodes that take part to processes, if these divide the work evenly; else false. component:
// as Graph::components(), all of whose nodes take part or none.
bool share_components(const Graph& graph, std::span<const NodeId> component, int64_t count,
                      const std::function<bool(NodeId)>& takes_part, std::vector<int32_t>& owner);

// The process, 0 to count-1, of every node. Whole connected components where these divide the work evenly, so that no
// edge is cut; else parts with few edges between them, by METIS with this seed. In inductive data, graphs with training
// nodes are divided by themselves, so that every process has its share of each split.
std::vector<int32_t> owners_of(const Dataset& data, int64_t count, uint64_t seed);

}  // namespace geniepath::partition
