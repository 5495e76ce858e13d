// Samples nodes in proportion to degree^0.75 (word2vec's choice), from all nodes or within each of several parts.
#pragma once

#include <vector>

#include "geniepath/graph.h"
#include "kernels/skip_gram.h"

namespace geniepath::walk {

class NegativeTable {
 public:
  // part_begin: where each part of `nodes` begins, from 0 to nodes.size(). A part without edges is sampled uniformly.
  NegativeTable(const Graph& graph, std::vector<NodeId> nodes, std::vector<int64_t> part_begin);
  // All nodes in one part.
  explicit NegativeTable(const Graph& graph);

  // Valid as long as the table.
  kernels::AliasSampler sampler(int64_t part = 0) const;

 private:
  void fill(int64_t begin, int64_t end, std::vector<double> weight);

  std::vector<NodeId> node_;
  std::vector<int64_t> part_begin_;
  std::vector<uint32_t> keep_;
  std::vector<int32_t> alias_;
};

}  // namespace geniepath::walk
