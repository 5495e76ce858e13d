// Graphs that expose errors in kernels.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "geniepath/graph.h"
#include "kernels/rows.h"

namespace geniepath::testing {

struct NamedGraph {
  std::string name;
  Graph graph;
};

inline Graph random_graph(NodeId nodes, int64_t edges, uint64_t seed) {
  Random random{seed};
  std::vector<NodeId> source, target;
  for (int64_t e = 0; e < edges; ++e) {
    source.push_back(static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes))));
    target.push_back(static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes))));
  }
  return Graph::from_edges(nodes, source, target, {.merge_duplicates = false});
}

// Node i has i neighbours: every degree around a vector's width.
inline Graph staircase_graph(NodeId nodes) {
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < nodes; ++i) {
    for (NodeId d = 0; d < i; ++d) source.push_back((i * 7 + d) % nodes), target.push_back(i);
  }
  return Graph::from_edges(nodes, source, target, {.merge_duplicates = false});
}

// Every node points at node 0, and node 0 at every node.
inline Graph star_graph(NodeId nodes) {
  std::vector<NodeId> source, target;
  for (NodeId i = 1; i < nodes; ++i) source.push_back(i), target.push_back(0);
  return Graph::from_edges(nodes, source, target, {.symmetrise = true, .self_loops = SelfLoops::kAdd});
}

// All nodes are neighbours: triangles everywhere.
inline Graph complete_graph(NodeId nodes) {
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < nodes; ++i) {
    for (NodeId j = 0; j < i; ++j) source.push_back(j), target.push_back(i);
  }
  return Graph::from_edges(nodes, source, target, {.symmetrise = true});
}

// Cliques of 5 in a row, each sharing a node with the next.
inline Graph clique_chain(NodeId cliques) {
  std::vector<NodeId> source, target;
  for (NodeId first = 0; first < 4 * cliques; first += 4) {
    for (NodeId i = first; i <= first + 4; ++i) {
      for (NodeId j = first; j < i; ++j) source.push_back(j), target.push_back(i);
    }
  }
  return Graph::from_edges(4 * cliques + 1, source, target, {.symmetrise = true});
}

inline std::vector<NamedGraph> graphs_that_hurt() {
  const std::vector<NodeId> one{1}, zero{0}, twice{1, 1, 1}, same{0, 0, 0};
  return {{"no edges", Graph::from_edges(5, {}, {})},
          {"single node", Graph::from_edges(1, {}, {})},
          {"single self-loop", Graph::from_edges(1, zero, zero)},
          {"isolated node", Graph::from_edges(3, one, zero)},
          {"duplicate edges", Graph::from_edges(2, twice, same, {.merge_duplicates = false})},
          {"degrees 0 to 40", staircase_graph(41)},
          {"hub that is split", star_graph(3000)},
          {"clique", complete_graph(17)},
          {"cliques in a row", clique_chain(6)},
          {"random", random_graph(60, 900, 3)}};
}

inline kernels::Rows incoming_rows(const Graph& graph) {
  return {graph.num_nodes(), graph.incoming().offset.data(), graph.incoming().neighbour.data()};
}
inline kernels::Rows outgoing_rows(const Graph& graph) {
  return {graph.num_nodes(), graph.outgoing().offset.data(), graph.outgoing().neighbour.data(),
          graph.outgoing_edge().data()};
}

// Rows from `cut` on, then those before.
inline std::vector<kernels::Rows> in_two(kernels::Rows rows, int64_t cut) {
  kernels::Rows last = rows;
  last.first = rows.count = cut;
  return {last, rows};
}

// Standard normal values (Box and Muller), the same for the same words.
inline std::vector<float> normal_values(size_t count, std::initializer_list<uint64_t> words, double scale = 1) {
  Random random(words);
  std::vector<float> values(count);
  for (float& x : values) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    x = static_cast<float>(scale * radius * std::cos(6.283185307179586 * random.uniform()));
  }
  return values;
}

template <class To, class From>
std::vector<To> cast(const std::vector<From>& from) {
  return std::vector<To>(from.begin(), from.end());
}

// The largest absolute difference; infinite if the sizes differ.
template <class A, class B>
double distance(const std::vector<A>& a, const std::vector<B>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (size_t n = 0; n < a.size(); ++n) {
    const double gap = std::abs(static_cast<double>(a[n]) - static_cast<double>(b[n]));
    worst = gap > worst || std::isnan(gap) ? gap : worst;
  }
  return worst;
}

template <class T>
double largest_of(const std::vector<T>& values) {
  double largest = 0;
  for (const T x : values) largest = std::max(largest, std::abs(static_cast<double>(x)));
  return largest;
}

}  // namespace geniepath::testing
