#include "explain/routes.h"

namespace geniepath::explain {
namespace {

// Steps from each node to `to`, as far as needed to reach `from`; -1 beyond.
std::vector<int32_t> steps_to(const Graph& graph, NodeId from, NodeId to) {
  const Adjacency& readers = graph.outgoing();
  std::vector<int32_t> steps(static_cast<size_t>(graph.num_nodes()), -1);
  std::vector<NodeId> queue{to};
  steps[static_cast<size_t>(to)] = 0;
  for (size_t at = 0; at < queue.size() && steps[static_cast<size_t>(from)] < 0; ++at) {
    const int32_t next = steps[static_cast<size_t>(queue[at])] + 1;
    for (const NodeId reader : readers.neighbours(queue[at])) {
      if (steps[static_cast<size_t>(reader)] >= 0) continue;
      steps[static_cast<size_t>(reader)] = next;
      queue.push_back(reader);
    }
  }
  return steps;
}

}  // namespace

// Extends the first path step by step; each further path branches off at the last node with an untried step. Every step
// leads to the end.
Routes shortest_routes(const Graph& graph, NodeId from, NodeId to, size_t most) {
  const std::vector<int32_t> steps = steps_to(graph, from, to);
  Routes out;
  if (steps[static_cast<size_t>(from)] < 0) return out;
  // The first node after `after` among those that `node` attends to, one step nearer to the end; -1 if there is none.
  const auto next = [&](NodeId node, NodeId after) -> NodeId {
    for (const NodeId source : graph.incoming().neighbours(node)) {
      if (source > after && steps[static_cast<size_t>(source)] == steps[static_cast<size_t>(node)] - 1) return source;
    }
    return -1;
  };
  std::vector<NodeId> path{from};
  for (NodeId after = -1; !path.empty();) {
    const NodeId step = path.back() == to ? -1 : next(path.back(), after);
    if (step >= 0) {
      path.push_back(step);
      after = -1;
      if (step != to) continue;
      out.all = out.paths.size() < most;
      if (!out.all) break;
      out.paths.push_back(path);
    }
    after = path.back();
    path.pop_back();
  }
  if (from == to) out.paths.push_back({from});
  return out;
}

}  // namespace geniepath::explain
