// Clusters of nodes with few edges between them.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath {

// The cluster, 0 to count-1, of every node, by METIS (Karypis and Kumar 1998) with this seed; directions are ignored.
// Clusters have about the same total weight; no weights: as many nodes. An Error in a build without METIS.
std::vector<int32_t> clusters_of(const Graph& graph, int64_t count, uint64_t seed,
                                 const std::vector<int32_t>& weight = {});

}  // namespace geniepath
