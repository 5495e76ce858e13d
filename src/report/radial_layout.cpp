#include "report/radial_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace geniepath::report {
namespace {

// Each node's children, and the depth of the tree.
struct Tree {
  std::map<NodeId, std::vector<NodeId>> children;
  int64_t depth = 1;
};

// Every node becomes a child of its predecessor on its shortest listed path, or on the strongest of several, as paths
// come sorted. Every prefix of a listed path is listed, so each node but the explained one has a parent.
Tree tree_of(const Explanation& explanation) {
  std::map<NodeId, int64_t> steps{{explanation.node, 0}};
  std::map<NodeId, NodeId> parent;
  for (const ReceptivePath& path : explanation.paths) {
    const NodeId end = path.nodes.back();
    const auto length = std::ssize(path.alpha);
    const auto [known, added] = steps.try_emplace(end, length);
    if (!added && known->second <= length) continue;
    known->second = length;
    parent[end] = *(path.nodes.end() - 2);
  }
  Tree tree;
  for (const PathNode& node : explanation.nodes) {
    tree.depth = std::max(tree.depth, steps.at(node.node));
    if (node.node != explanation.node) tree.children[parent.at(node.node)].push_back(node.node);
  }
  return tree;
}

}  // namespace

std::map<NodeId, Point> radial_layout(const Explanation& explanation) {
  const Tree tree = tree_of(explanation);
  std::map<NodeId, double> leaves;
  const std::function<double(NodeId)> count = [&](NodeId node) {
    double sum = 0;
    if (const auto below = tree.children.find(node); below != tree.children.end()) {
      for (const NodeId child : below->second) sum += count(child);
    }
    return leaves[node] = std::max(sum, 1.0);
  };
  std::map<NodeId, Point> place;
  // A node is placed in the middle of its sector, which its children share in proportion to their leaves.
  const std::function<void(NodeId, int64_t, double, double)> put = [&](NodeId node, int64_t steps, double from,
                                                                       double to) {
    const double radius = static_cast<double>(steps) / static_cast<double>(tree.depth), angle = (from + to) / 2;
    place[node] = {radius * std::cos(angle), radius * std::sin(angle)};
    const auto below = tree.children.find(node);
    if (below == tree.children.end()) return;
    double at = from;
    for (const NodeId child : below->second) {
      const double width = (to - from) * leaves[child] / leaves[node];
      put(child, steps + 1, at, at + width);
      at += width;
    }
  };
  count(explanation.node);
  put(explanation.node, 0, -std::numbers::pi / 2, 1.5 * std::numbers::pi);
  return place;
}

}  // namespace geniepath::report
