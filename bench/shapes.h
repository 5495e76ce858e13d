// Graphs to measure on, all deterministic.
#pragma once

#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/graph.h"

namespace geniepath::bench {

// Every node has `degree` neighbours drawn uniformly, and itself.
Graph uniform_graph(NodeId nodes, int64_t degree);

// `edges` edges in all, including self-loops. Of the others, one end is uniform and the other drawn by rank with a
// power law, so that the first nodes are hubs; every edge exists in both directions.
Graph power_law_graph(NodeId nodes, EdgeId edges);

EdgeId largest_degree(const Graph& graph);

struct Shape {
  std::string name;
  Graph graph;
  int64_t width;
};
// (a) 9,000 nodes x 28 neighbours, K = 256   (b) power law, 100,000 nodes, 1,000,000 edges, K = 64
std::vector<Shape> standard_shapes();

// `parts` graphs of `nodes` nodes, each node with `degree` distinct neighbours in its graph, and itself.
Graph many_uniform_graphs(int64_t parts, NodeId nodes, int64_t degree);
// The shapes for GPUs: PPI's size, 20 graphs of 2,245 nodes and 1,212,300 edges; and 169,343 nodes whose edges have one
// end drawn in proportion to rank^-0.7, 2,501,829 edges with self-loops.
Graph ppi_shape(int64_t parts = 20);
Graph gpu_power_law_shape();
// A data set of PPI's shape on such a graph: 50 features, 121 labels, all nodes for training.
Dataset ppi_like(const Graph& graph);

// Pubmed's first layer: 19,717 nodes, K = 16 and 256; edges do not matter.
std::vector<Shape> feature_shapes();
// Each entry is non-zero with this probability.
SparseMatrix random_features(NodeId nodes, int64_t features, double density);

}  // namespace geniepath::bench
