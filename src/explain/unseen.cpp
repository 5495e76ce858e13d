#include "explain/unseen.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "explain/node_index.h"
#include "geniepath/error.h"
#include "geniepath/train.h"

namespace geniepath {
namespace explain {

std::map<NodeId, std::vector<NodeId>> joined_rows(const Graph& graph, const UnseenNodes& unseen) {
  const NodeId known = graph.num_nodes();
  const auto count = static_cast<NodeId>(unseen.features.num_nodes());
  std::map<NodeId, std::vector<NodeId>> rows;
  for (NodeId node = known; node < known + count; ++node) rows[node] = {node};
  const auto row_of = [&](NodeId node) -> std::vector<NodeId>& {
    const auto [at, added] = rows.try_emplace(node);
    if (added) {
      const auto row = graph.incoming().neighbours(node);
      at->second.assign(row.begin(), row.end());
    }
    return at->second;
  };
  for (const auto& [a, b] : unseen.edges) {
    if (std::min(a, b) < 0 || std::max(a, b) >= known + count) {
      fail("score: edge ", a, " - ", b, ", but the graph and the unseen nodes together have ", known + count);
    }
    row_of(b).push_back(a);
    if (!unseen.directed) row_of(a).push_back(b);
  }
  for (auto& [_, row] : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

}  // namespace explain

namespace {

// A graph with unseen nodes joined to it.
class JoinedGraph {
 public:
  JoinedGraph(const Graph& graph, const UnseenNodes& unseen)
      : graph_(graph),
        num_nodes_(graph.num_nodes() + static_cast<NodeId>(unseen.features.num_nodes())),
        changed_(explain::joined_rows(graph, unseen)) {}

  std::span<const NodeId> row(NodeId node) const {
    const auto changed = changed_.find(node);
    return changed != changed_.end() ? changed->second : graph_.incoming().neighbours(node);
  }

  // The nodes that the unseen ones depend on, ascending, and whether their rows matter.
  struct Field {
    std::vector<NodeId> nodes;
    std::vector<bool> has_row;
  };
  Field field(int64_t radius) const {
    explain::NodeIndex index(num_nodes_);
    for (NodeId node = graph_.num_nodes(); node < num_nodes_; ++node) index.add(node);
    int32_t with_rows = 0;
    for (int64_t steps = 0; steps < radius; ++steps) {
      for (const int32_t last = index.size(); with_rows < last; ++with_rows) {
        for (const NodeId source : row(index[with_rows])) index.add(source);
      }
    }
    const std::vector<NodeId> by_distance = index.nodes();
    index.sort_from(0);
    Field field{index.nodes(), std::vector<bool>(by_distance.size())};
    for (int32_t n = 0; n < with_rows; ++n) {
      field.has_row[static_cast<size_t>(index.find(by_distance[static_cast<size_t>(n)]))] = true;
    }
    return field;
  }
  Field everything() const {
    Field field{std::vector<NodeId>(static_cast<size_t>(num_nodes_)),
                std::vector<bool>(static_cast<size_t>(num_nodes_), true)};
    std::iota(field.nodes.begin(), field.nodes.end(), NodeId{0});
    return field;
  }

  // Nodes keep their order, so that sums run over neighbours in the order of the whole graph.
  Graph part(const Field& field) const {
    std::vector<NodeId> place(static_cast<size_t>(num_nodes_), -1);
    for (size_t n = 0; n < field.nodes.size(); ++n) place[static_cast<size_t>(field.nodes[n])] = static_cast<NodeId>(n);
    std::vector<EdgeId> offset{0};
    std::vector<NodeId> neighbour;
    for (size_t n = 0; n < field.nodes.size(); ++n) {
      if (field.has_row[n]) {
        for (const NodeId source : row(field.nodes[n])) neighbour.push_back(place[static_cast<size_t>(source)]);
      }
      offset.push_back(std::ssize(neighbour));
    }
    return Graph::from_incoming({std::move(offset), std::move(neighbour)});
  }

 private:
  const Graph& graph_;
  NodeId num_nodes_;
  std::map<NodeId, std::vector<NodeId>> changed_;
};

}  // namespace

at::Tensor score_unseen(const Model& model, const Dataset& data, const UnseenNodes& unseen) {
  const JoinedGraph joined(data.graph, unseen);
  const int64_t radius = model.radius(), count = unseen.features.num_nodes();
  const auto field = radius == Model::kWholeGraph ? joined.everything() : joined.field(radius);
  const std::span known(field.nodes.data(), field.nodes.size() - static_cast<size_t>(count));
  Dataset part;
  part.task = data.task;
  part.graph = joined.part(field);
  part.features = stacked(data.features.select_rows(known), unseen.features);
  return predict(model, part).narrow(0, std::ssize(known), count);
}

}  // namespace geniepath
