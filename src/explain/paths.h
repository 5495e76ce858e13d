// The paths into a node, ranked: best first, without ever listing them all.
#pragma once

#include <vector>

#include "explain/node_index.h"
#include "explain/trace.h"
#include "geniepath/explain.h"

namespace geniepath::explain {

// The nodes from which `node` can be reached in at most `hops` steps, itself first, nearest first.
struct Ball {
  NodeIndex index;
  std::vector<int64_t> hop;          // by number in the index
  std::vector<int32_t> first_at;     // of hop 0 .. hops, and one past the end
  std::vector<int32_t> source;       // numbers of what the nodes nearer than `hops` attend to, row by row
  int32_t rows(int64_t hops) const { return first_at[static_cast<size_t>(hops) + 1]; }  // nodes at most so far
};
Ball ball_around(const Trace& trace, NodeId node, int64_t hops);

double laplacian(const Trace& trace, NodeId source, NodeId target);
std::vector<float> alpha_of_edge(const Trace& trace, EdgeId edge);

// The strongest paths of 1 to `hops` steps, at most `top`, none of a product below `threshold`.
std::vector<ReceptivePath> strongest_paths(const Trace& trace, NodeId node, int64_t hops, int64_t top, double threshold);

// Fills nodes, edges, reached and omitted of an explanation whose paths are listed.
void describe_neighbourhood(const Trace& trace, Explanation& explanation);

}  // namespace geniepath::explain
