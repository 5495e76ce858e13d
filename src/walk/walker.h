// Random walks as node2vec takes them (Grover and Leskovec 2016); with p = q = 1 they are DeepWalk's (Perozzi et al. 2014).
// A walk that came from t to v goes on to a neighbour x of v with a probability in proportion to
//   1/p where x is t,   1 where x is a neighbour of t as well,   1/q otherwise.
// Every step is a function of the seed, the walk's start and number, and the step: walks are made in any order, by any
// thread, and need no table of the edges.
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

  // The nodes of walk `number` from `start`, itself first, into `out`; returns how many, fewer than fit where the walk
  // comes to a node that no edge leaves.
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
