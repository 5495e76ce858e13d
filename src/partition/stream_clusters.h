// Clusters of nodes with many edges inside, of a graph that is read row by row, and the graph of these clusters. Memory
// is in proportion to the nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::partition {

struct StreamClusters {
  std::vector<NodeId> of_node;  // their numbers; 0 has the most work
  std::vector<int64_t> work;
};

// Label propagation with a limit (Meyerhenke, Sanders and Schulz 2014): in each pass a node joins the cluster with the
// most of its neighbours, where that has room. limit_of(node): the most work of a cluster of this node's.
StreamClusters stream_clusters(const Graph& graph, const std::function<int64_t(NodeId)>& limit_of);

// Entries between two clusters, of which one has the larger number.
struct ClusterEdge {
  NodeId large, small;
  int64_t entries;
};

// Ascending by the larger number. Empty if there are more of them than nodes.
std::vector<ClusterEdge> cluster_edges(const Graph& graph, const StreamClusters& clusters);

}  // namespace geniepath::partition
