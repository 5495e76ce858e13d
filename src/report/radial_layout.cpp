#include "report/radial_layout.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace geniepath::report {
namespace {

// Every node below the one nearer by a hop that attends to it most; `edges` are by falling importance.
std::map<NodeId, std::vector<NodeId>> tree_of(const Explanation& explanation) {
  std::map<NodeId, int64_t> hop;
  for (const PathNode& node : explanation.nodes) hop[node.node] = node.hop;
  std::map<NodeId, NodeId> parent;
  for (const PathEdge& edge : explanation.edges) {
    if (hop.at(edge.source) == hop.at(edge.target) + 1) parent.emplace(edge.source, edge.target);
  }
  std::map<NodeId, std::vector<NodeId>> children;
  for (const PathNode& node : explanation.nodes) {
    if (const auto found = parent.find(node.node); found != parent.end()) children[found->second].push_back(node.node);
  }
  return children;
}

}  // namespace

std::map<NodeId, Point> radial_layout(const Explanation& explanation) {
  const auto children = tree_of(explanation);
  int64_t last_hop = 1;
  for (const PathNode& node : explanation.nodes) last_hop = std::max(last_hop, node.hop);
  std::map<NodeId, double> leaves;
  const std::function<double(NodeId)> count = [&](NodeId node) {
    double sum = 0;
    if (const auto below = children.find(node); below != children.end()) {
      for (const NodeId child : below->second) sum += count(child);
    }
    return leaves[node] = std::max(sum, 1.0);
  };
  std::map<NodeId, Point> place;
  // A node stands in the middle of its part of the circle, which is shared out among its children by their leaves.
  const std::function<void(NodeId, int64_t, double, double)> put = [&](NodeId node, int64_t hop, double from, double to) {
    const double radius = static_cast<double>(hop) / static_cast<double>(last_hop), angle = (from + to) / 2;
    place[node] = {radius * std::cos(angle), radius * std::sin(angle)};
    const auto below = children.find(node);
    if (below == children.end()) return;
    double at = from;
    for (const NodeId child : below->second) {
      const double width = (to - from) * leaves[child] / leaves[node];
      put(child, hop + 1, at, at + width);
      at += width;
    }
  };
  count(explanation.node);
  put(explanation.node, 0, -std::numbers::pi / 2, 1.5 * std::numbers::pi);
  return place;
}

}  // namespace geniepath::report
