#include "shapes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace geniepath::bench {

Graph uniform_graph(NodeId nodes, int64_t degree) {
  Random random{1};
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < nodes; ++i) {
    source.push_back(i), target.push_back(i);
    for (int64_t d = 1; d < degree; ++d) {
      source.push_back(static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes))));
      target.push_back(i);
    }
  }
  return Graph::from_edges(nodes, source, target, {.merge_duplicates = false});
}

Graph power_law_graph(NodeId nodes, EdgeId edges) {
  Random random{2};
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < nodes; ++i) source.push_back(i), target.push_back(i);
  while (static_cast<EdgeId>(source.size()) + 1 < edges) {
    // The inverse of the cumulative rank^-0.8: u^5 makes the first ranks hubs.
    const double rank = std::pow(random.uniform(), 5.0) * nodes;
    const auto hub = static_cast<NodeId>(rank);
    const auto other = static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes)));
    source.insert(source.end(), {hub, other});
    target.insert(target.end(), {other, hub});
  }
  return Graph::from_edges(nodes, source, target, {.merge_duplicates = false});
}

Graph many_uniform_graphs(int64_t parts, NodeId nodes, int64_t degree) {
  Random random{4};
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < parts * nodes; ++i) {
    std::vector<NodeId> row{i};
    while (static_cast<int64_t>(row.size()) <= degree) {
      const auto j =
          static_cast<NodeId>(i / nodes * nodes + static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes))));
      if (std::find(row.begin(), row.end(), j) == row.end()) row.push_back(j);
    }
    source.insert(source.end(), row.begin(), row.end());
    target.insert(target.end(), row.size(), i);
  }
  return Graph::from_edges(static_cast<NodeId>(parts * nodes), source, target);
}

Graph ppi_shape(int64_t parts) { return many_uniform_graphs(parts, 2245, 26); }

Graph gpu_power_law_shape() {
  constexpr NodeId kNodes = 169343;
  constexpr int64_t kPairs = 1166243;
  std::vector<double> cumulated(kNodes);
  double sum = 0;
  for (NodeId i = 0; i < kNodes; ++i) cumulated[static_cast<size_t>(i)] = sum += std::pow(i + 1.0, -0.7);
  Random random{5};
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < kNodes; ++i) source.push_back(i), target.push_back(i);
  for (int64_t e = 0; e < kPairs; ++e) {
    const auto at = std::lower_bound(cumulated.begin(), cumulated.end(), random.uniform() * sum);
    const auto hub = static_cast<NodeId>(std::min<int64_t>(at - cumulated.begin(), kNodes - 1));
    const auto other = static_cast<NodeId>(random.below(kNodes));
    source.insert(source.end(), {hub, other});
    target.insert(target.end(), {other, hub});
  }
  return Graph::from_edges(kNodes, source, target, {.merge_duplicates = false});
}

Dataset ppi_like(const Graph& graph) {
  constexpr int64_t kFeatures = 50, kLabels = 121;
  Dataset data;
  data.name = "ppi-like";
  data.graph = graph;
  data.features = Features(at::randn({graph.num_nodes(), kFeatures}));
  data.labels = (at::rand({graph.num_nodes(), kLabels}) < 0.3).to(at::kFloat);
  data.task = Task::kMultiLabel;
  data.num_classes = kLabels;
  data.metric = "micro_f1";
  for (NodeId i = 0; i < graph.num_nodes(); ++i) data.train.push_back(i);
  return data;
}

EdgeId largest_degree(const Graph& graph) {
  EdgeId largest = 0;
  for (NodeId i = 0; i < graph.num_nodes(); ++i) largest = std::max(largest, graph.incoming().degree(i));
  return largest;
}

std::vector<Shape> standard_shapes() {
  return {{"9000 nodes x 28 neighbours, K 256", uniform_graph(9000, 28), 256},
          {"power law, 100000 nodes, 1000000 edges, K 64", power_law_graph(100000, 1000000), 64}};
}

std::vector<Shape> feature_shapes() {
  return {{"19717 nodes x 500 features, 10 % dense, K 16", Graph::from_edges(19717, {}, {}), 16},
          {"19717 nodes x 500 features, 10 % dense, K 256", Graph::from_edges(19717, {}, {}), 256}};
}

SparseMatrix random_features(NodeId nodes, int64_t features, double density) {
  Random random{3};
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (NodeId i = 0; i < nodes; ++i) {
    for (int64_t f = 0; f < features; ++f) {
      if (random.uniform() >= density) continue;
      column.push_back(static_cast<int32_t>(f));
      value.push_back(static_cast<float>(random.uniform()));
    }
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  return {nodes, features, std::move(offset), std::move(column), std::move(value)};
}

}  // namespace geniepath::bench
