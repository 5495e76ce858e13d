// The shortest ways between two nodes.
#pragma once

#include <vector>

#include "geniepath/graph.h"

namespace geniepath::explain {

struct Routes {
  std::vector<std::vector<NodeId>> paths;  // each from the first node to the last, by ascending nodes
  bool all = true;                         // whether there are no others as short
};

// The shortest paths v0 <- v1 <- ... <- vL from node `from` to node `to`, each node attending to the next; at most
// `most`. None if there is no path.
Routes shortest_routes(const Graph& graph, NodeId from, NodeId to, size_t most);

}  // namespace geniepath::explain
