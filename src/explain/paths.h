// The strongest paths into a node, best first, without enumerating all of them.
#pragma once

#include <vector>

#include "explain/path_sums.h"
#include "explain/trace.h"
#include "geniepath/explain.h"

namespace geniepath::explain {

// The strongest paths of 1 to `hops` steps: at most `top`, none with a product below `threshold`.
std::vector<ReceptivePath> strongest_paths(const Trace& trace, NodeId node, int64_t hops, int64_t top,
                                           double threshold);

// Fills nodes, edges, reached and omitted of an explanation from its paths.
void describe_neighbourhood(const Trace& trace, Explanation& explanation);

}  // namespace geniepath::explain
