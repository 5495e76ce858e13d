// The paper's qualitative figure: which edges within two hops of a node the first adaptive path layer listens to,
// beside the weights the graph Laplacian gives them.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::cli {

// An edge (target <- source) on a path of at most two hops to the node.
struct PathEdge {
  NodeId source, target;
  double alpha;      // alpha(h_target, h_source) of the first layer, over N(target) + {target}
  double laplacian;  // 1 / sqrt(d_target d_source), with self-loops
};

struct ReceptivePaths {
  std::string data;
  NodeId node = 0;
  std::map<NodeId, int> hop;  // of every node shown: 0, 1 or 2
  std::vector<PathEdge> edges;

  nlohmann::ordered_json to_json() const;
  std::string to_markdown(const std::string& command) const;
  std::string to_svg() const;
};

// Of the finished geniepath run in the folder, on the data it was trained on. node -1: the test node whose two-hop
// neighbourhood is nearest to 60 nodes.
ReceptivePaths receptive_paths(const std::filesystem::path& run, NodeId node);

}  // namespace geniepath::cli
