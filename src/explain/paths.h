// The paths into a node, ranked: best first, without ever listing them all.
#pragma once

#include <vector>

#include "explain/path_sums.h"
#include "explain/trace.h"
#include "geniepath/explain.h"

namespace geniepath::explain {

double laplacian(const Trace& trace, NodeId source, NodeId target);
std::vector<float> alpha_of_edge(const Trace& trace, EdgeId edge);

// The strongest paths of 1 to `hops` steps, at most `top`, none of a product below `threshold`.
std::vector<ReceptivePath> strongest_paths(const Trace& trace, NodeId node, int64_t hops, int64_t top, double threshold);

// Fills nodes, edges, reached and omitted of an explanation whose paths are listed.
void describe_neighbourhood(const Trace& trace, Explanation& explanation);

}  // namespace geniepath::explain
