// The neighbourhood of a node, and what is summed over all paths in it, however many they are.
#pragma once

#include <span>
#include <vector>

#include "explain/node_index.h"
#include "explain/trace.h"

namespace geniepath::explain {

// The nodes from which `node` can be reached in at most `hops` steps, itself first, nearest first,
// those of a hop by ascending id.
struct Ball {
  NodeIndex index;
  std::vector<int32_t> first_at;     // of hop 0 .. hops, and one past the end
  std::vector<int32_t> source;       // numbers of what the nodes nearer than `hops` attend to, row by row
  int32_t rows(int64_t hops) const { return first_at[static_cast<size_t>(hops) + 1]; }  // nodes at most so far
  int64_t hop(int32_t number) const;
};
Ball ball_around(const Trace& trace, NodeId node, int64_t hops);

// Sums over the paths of at most `hops` steps from the ball's first node. A path of s steps goes on in layer T - s. Of
// tables over all nodes no more than two are there at a time; what is kept is of the nodes asked for, [s][place there].
struct PathSums {
  // `nodes` are numbers in the ball.
  PathSums(const Trace& trace, const Ball& ball, int64_t hops, std::span<const int32_t> nodes);

  std::vector<std::vector<double>> ending;  // of the products of the paths of s steps that end at the node
  std::vector<std::vector<double>> onward;  // of the paths of 0 to hops - s steps that begin at it in layer T - s
  double product = 0, count = 0;            // of all paths of 1 step or more
};

// Nodes that some path of 1 to `hops` steps and a product of at least `threshold` ends at, and the ball's first node.
int64_t count_reached(const Trace& trace, const Ball& ball, int64_t hops, double threshold);

}  // namespace geniepath::explain
