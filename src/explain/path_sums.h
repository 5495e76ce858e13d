// The neighbourhood of a node, and sums over all paths in it, without enumerating them.
#pragma once

#include <span>
#include <vector>

#include "explain/node_index.h"
#include "explain/trace.h"

namespace geniepath::explain {

// The nodes from which `node` can be reached in at most `hops` steps: by distance, itself first, then by ascending id.
struct Ball {
  NodeIndex index;
  std::vector<int32_t> first_at;     // first number of hop 0 .. hops, and one past the end
  std::vector<int32_t> source;       // numbers of the sources in the rows of all nodes nearer than `hops`
  int32_t rows(int64_t hops) const { return first_at[static_cast<size_t>(hops) + 1]; }  // nodes within `hops` steps
  int64_t hop(int32_t number) const;
};
Ball ball_around(const Trace& trace, NodeId node, int64_t hops);

// Sums of the products of paths of at most `hops` steps from the ball's first node. A path of s steps continues in
// layer T - s. At most two tables over all nodes exist at a time; results are kept only for the given nodes, as
// [s][position in `nodes`].
struct PathSums {
  // `nodes`: numbers in the ball.
  PathSums(const Trace& trace, const Ball& ball, int64_t hops, std::span<const int32_t> nodes);

  std::vector<std::vector<double>> ending;  // over the paths of s steps that end at the node
  std::vector<std::vector<double>> onward;  // over the paths of 0 .. hops - s steps from it in layer T - s
  double product = 0, count = 0;            // over all paths of 1 step or more; count: their number
};

// Number of nodes at the end of a path of 1 to `hops` steps with a product >= threshold, plus the ball's first node.
int64_t count_reached(const Trace& trace, const Ball& ball, int64_t hops, double threshold);

}  // namespace geniepath::explain
