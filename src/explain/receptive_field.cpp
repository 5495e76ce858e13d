#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "explain/node_index.h"
#include "geniepath/error.h"
#include "geniepath/explain.h"

namespace geniepath {
namespace {

// The nodes within `radius` steps, nearest first, and the number of those nearer than that, which have complete rows.
std::pair<explain::NodeIndex, int32_t> reach(const Graph& graph, std::span<const NodeId> nodes, int64_t radius) {
  explain::NodeIndex index(graph.num_nodes());
  for (const NodeId node : nodes) {
    if (node < 0 || node >= graph.num_nodes()) fail("explain: node ", node, ", but the graph has ", graph.num_nodes());
    index.add(node);
  }
  int32_t done = 0;
  for (int64_t steps = 0; steps < radius; ++steps) {
    const int32_t last = index.size();
    for (; done < last; ++done) {
      for (const NodeId source : graph.incoming().neighbours(index[done])) index.add(source);
    }
  }
  return {std::move(index), done};
}

Graph cut(const Graph& graph, const explain::NodeIndex& index, int32_t whole) {
  std::vector<NodeId> source, target;
  for (int32_t n = 0; n < whole; ++n) {
    for (const NodeId j : graph.incoming().neighbours(index[n])) source.push_back(index.find(j)), target.push_back(n);
  }
  return Graph::from_edges(index.size(), source, target);
}

// True edges among those that cut() keeps.
std::vector<std::pair<NodeId, NodeId>> kept_truth(const Dataset& data, const explain::NodeIndex& index, int32_t whole) {
  std::vector<std::pair<NodeId, NodeId>> kept;
  if (data.true_edges.empty()) return kept;
  for (int32_t n = 0; n < whole; ++n) {
    for (const NodeId j : data.graph.incoming().neighbours(index[n])) {
      if (std::ranges::binary_search(data.true_edges, std::pair(j, index[n]))) kept.emplace_back(index.find(j), n);
    }
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());  // parallel edges
  return kept;
}

std::vector<NodeId> kept_of(const std::vector<NodeId>& split, const explain::NodeIndex& index) {
  std::vector<NodeId> kept;
  for (const NodeId node : split) {
    if (const int32_t number = index.find(node); number >= 0) kept.push_back(number);
  }
  return kept;
}

int64_t degree_with_itself(const Graph& graph, NodeId node) {
  const auto row = graph.incoming().neighbours(node);
  int64_t degree = 1;
  for (size_t n = 0; n < row.size(); ++n) degree += row[n] != node && (n == 0 || row[n] != row[n - 1]);
  return degree;
}

ReceptiveField everything(const Dataset& data) {
  ReceptiveField field{data, std::vector<NodeId>(static_cast<size_t>(data.graph.num_nodes())), {}};
  std::iota(field.original.begin(), field.original.end(), NodeId{0});
  for (const NodeId node : field.original) field.degree.push_back(degree_with_itself(data.graph, node));
  return field;
}

}  // namespace

ReceptiveField receptive_field(const Dataset& data, std::span<const NodeId> nodes, int64_t radius) {
  const auto [index, whole] = reach(data.graph, nodes, radius);
  if (index.size() > data.graph.num_nodes() / 2) return everything(data);
  ReceptiveField field{data, index.nodes(), {}};
  Dataset& part = field.data;
  part.graph = cut(data.graph, index, whole);
  part.features = data.features.select_rows(field.original);
  part.labels = data.labels.index_select(0, at::tensor(field.original, at::kLong));
  part.train = kept_of(data.train, index), part.valid = kept_of(data.valid, index),
  part.test = kept_of(data.test, index);
  part.true_edges = kept_truth(data, index, whole);
  part.node_names.clear(), part.node_type.clear(), part.path_length.clear();
  for (const NodeId node : field.original) {
    part.node_names.push_back(data.node_name(node));
    if (!data.node_type.empty()) part.node_type.push_back(data.node_type[static_cast<size_t>(node)]);
    if (!data.path_length.empty()) part.path_length.push_back(data.path_length[static_cast<size_t>(node)]);
    field.degree.push_back(degree_with_itself(data.graph, node));
  }
  return field;
}

}  // namespace geniepath
