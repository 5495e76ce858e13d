// Sampled neighbourhoods: some seed nodes, neighbours drawn for them, neighbours drawn for these, and so on.
//
// A node's neighbours are a function of the key and the node (and the hop at which the node is reached, which sets how
// many), so the same nodes are drawn by any thread or process.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::training {

// Neighbours per hop, e.g. "10,10,5"; kAllNeighbours for "all". An Error names `option`.
constexpr int64_t kAllNeighbours = -1;
std::vector<int64_t> parse_fan_out(const std::string& text, const char* option);

enum class Draw {
  kUniform,  // every node draws for itself (Hamilton et al. 2017)
  kLabor,    // a node draws the neighbours with the smallest of random numbers that all nodes share, so that they draw
             // the same ones: layer-neighbour sampling (Balin and Catalyurek 2023) in its sequential Poisson form, with
             // equal importance and the same numbers in all hops
};

struct Neighbourhood {
  std::vector<NodeId> nodes;  // the seeds first, in their order
  Adjacency incoming;         // of the sampled graph, whose node i is nodes[i]
};

// Not safe to use from several threads: each has its own.
class NeighbourSampler {
 public:
  // `graph` must outlive the sampler. 4 bytes per node of the graph.
  NeighbourSampler(const Graph& graph, std::vector<int64_t> fan_out, Draw draw);

  // Seeds must differ from each other.
  Neighbourhood sample(std::span<const NodeId> seeds, uint64_t key);

 private:
  NodeId add(NodeId node);
  void expand(NodeId node, int64_t fan_out, uint64_t key);
  void draw_uniform(std::span<const NodeId> neighbours, int64_t count, NodeId node, uint64_t key);
  void draw_labor(std::span<const NodeId> neighbours, int64_t count, uint64_t key);

  // Draws the positions with the smallest number(position).
  template <class Number>
  void rank(std::span<const NodeId> neighbours, int64_t count, const Number& number);

  struct Ranked {
    uint64_t number;
    size_t position;
    auto operator<=>(const Ranked&) const = default;
  };

  const Adjacency& rows_;
  std::vector<int64_t> fan_out_;
  Draw draw_;
  std::vector<NodeId> place_;  // of every node in nodes_; kNone if it is absent
  std::vector<NodeId> nodes_;
  std::vector<EdgeId> offset_;
  std::vector<NodeId> neighbour_;
  std::vector<size_t> positions_;
  std::vector<Ranked> ranked_;
};

}  // namespace geniepath::training
