// Neighbour sampling as it is usually written: a hash map of the nodes seen, a shuffled copy of each list of
// neighbours.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::bench {

// Numbers of nodes and edges sampled.
std::pair<int64_t, int64_t> plain_sample(const Graph& graph, const std::vector<int64_t>& fan_out,
                                         std::span<const NodeId> seeds, uint64_t key);

}  // namespace geniepath::bench
