// Random walks of node2vec (Grover and Leskovec 2016); with p = q = 1, of DeepWalk (Perozzi et al. 2014).
// A walk that came from t to v continues to a neighbour x of v with probability proportional to
//   1/p where x is t,   1 where x is also a neighbour of t,   1/q otherwise.
// Every step is a function of the seed, the walk's start and number, and the step: walks can be drawn in any order by
// any thread, without a table over edges.
#pragma once

#include <span>

#include "base/random.h"
#include "geniepath/graph.h"

namespace geniepath::walk {

class Walker {
 public:
  struct Options {
    double p = 1, q = 1;
    uint64_t seed = 1;
  };

  // Walks follow edges from source to target.
  Walker(const Graph& graph, const Options& options);

  // Writes the nodes of walk `number`, beginning with `start`, to `out`; returns their number, smaller than out.size()
  // if the walk reaches a node without outgoing edges.
  int64_t walk(NodeId start, uint64_t number, std::span<NodeId> out) const;

 private:
  bool is_edge(NodeId from, NodeId to) const;
  double weight(NodeId previous, NodeId next) const;
  NodeId next_node(NodeId previous, NodeId at, Random& random) const;
  NodeId next_node_by_weights(NodeId previous, NodeId at, Random& random) const;

  Adjacency out_;
  double back_, away_;       // 1/p, 1/q
  double largest_, smallest_;  // of 1 and 1/q
  uint64_t seed_;
};

}  // namespace geniepath::walk
