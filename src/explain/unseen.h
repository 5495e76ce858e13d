// The rows of a graph after unseen nodes were joined to it.
#pragma once

#include <map>
#include <vector>

#include "geniepath/explain.h"

namespace geniepath::explain {

// The rows of the unseen nodes, numbered from N on, and of all nodes joined to them: every node that they attend to,
// ascending, each once. An unseen node attends to itself. An edge outside the graph and the unseen nodes is an Error.
std::map<NodeId, std::vector<NodeId>> joined_rows(const Graph& graph, const UnseenNodes& unseen);

}  // namespace geniepath::explain
