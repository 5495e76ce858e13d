// Graphs to measure on. The same call, the same graph.
#pragma once

#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/graph.h"

namespace geniepath::bench {

// Every node has `degree` neighbours drawn uniformly, and itself.
Graph uniform_graph(NodeId nodes, int64_t degree);

// `edges` edges in all, self-loops included. One end of the rest is uniform, the other is drawn by rank with a power
// law, so that the first nodes are hubs; every edge is there in both directions.
Graph power_law_graph(NodeId nodes, EdgeId edges);

EdgeId largest_degree(const Graph& graph);

struct Shape {
  std::string name;
  Graph graph;
  int64_t width;
};
// (a) 9,000 nodes x 28 neighbours, K = 256   (b) power law, 100,000 nodes, 1,000,000 edges, K = 64
std::vector<Shape> standard_shapes();


// Pubmed's first layer: 19,717 nodes, K = 16 and 256; the edges play no part.
std::vector<Shape> feature_shapes();
// Each entry is there with that probability.
SparseMatrix random_features(NodeId nodes, int64_t features, double density);

}  // namespace geniepath::bench
