#include "geniepath/graph.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/large_array.h"
#include "base/parallel.h"
#include "geniepath/error.h"
#include "graph/buckets.h"
#include "graph/csr.h"
#include "graph/sorted_rows.h"
#include "graph/transposition.h"

namespace geniepath {
namespace {

template <class Id>
void check_ids(NodeId num_nodes, std::span<const Id> source, std::span<const Id> target) {
  if (num_nodes < 0) fail("graph: ", num_nodes, " nodes, expected 0 or more");
  if (source.size() != target.size()) {
    fail("graph: ", source.size(), " edge sources but ", target.size(), " edge targets");
  }
  const auto unknown = [num_nodes](Id node) { return node < 0 || node >= num_nodes; };
  const auto e = static_cast<size_t>(first_in_parallel(std::ssize(source), [&](int64_t edge) {
    return unknown(source[static_cast<size_t>(edge)]) || unknown(target[static_cast<size_t>(edge)]);
  }));
  if (e == source.size()) return;
  fail("graph: edge ", e, " (", source[e], " -> ", target[e], ") names node ",
       unknown(source[e]) ? source[e] : target[e], ", but there are ", num_nodes, " nodes");
}

void check_rows(const Adjacency& incoming) {
  const int64_t rows = std::max<int64_t>(incoming.offset.size() - 1, 0);
  check_csr(rows, rows, incoming.offset.span(), incoming.neighbour.span(), "graph");
  const int64_t unsorted = first_in_parallel(rows, [&](int64_t row) {
    const auto neighbours = incoming.neighbours(static_cast<NodeId>(row));
    return !std::is_sorted(neighbours.begin(), neighbours.end());
  });
  if (unsorted < rows) fail("graph: the neighbours of row ", unsorted, " are not ascending");
}

bool same_rows(const Adjacency& a, const Adjacency& b) {
  const auto differ = [](const auto& x, const auto& y) {
    return x.size() != y.size() || first_in_parallel(x.size(), [&](int64_t i) { return x[i] != y[i]; }) < x.size();
  };
  return !differ(a.offset, b.offset) && !differ(a.neighbour, b.neighbour);
}

// Trees whose root is their smallest node, joined by several threads at once: a parent is never larger than its child,
// so the roots do not depend on the order.
class NodeForest {
 public:
  explicit NodeForest(NodeId nodes) : parent_(static_cast<size_t>(nodes)) {
    std::iota(parent_.begin(), parent_.end(), NodeId{0});
  }

  NodeId root(NodeId node) {
    for (NodeId up = at(node).load(); up != node; up = at(node).load()) {
      at(node).compare_exchange_weak(up, at(up).load());
      node = at(node).load();
    }
    return node;
  }

  void join(NodeId a, NodeId b) {
    for (a = root(a), b = root(b); a != b; a = root(a), b = root(b)) {
      if (a < b) std::swap(a, b);
      NodeId expected = a;
      if (at(a).compare_exchange_strong(expected, b)) return;
    }
  }

 private:
  std::atomic_ref<NodeId> at(NodeId node) { return std::atomic_ref<NodeId>(parent_[static_cast<size_t>(node)]); }

  std::vector<NodeId> parent_;
};

template <class Id>
Adjacency checked_rows(NodeId num_nodes, std::span<const Id> source, std::span<const Id> target,
                       const GraphOptions& options) {
  check_ids(num_nodes, source, target);
  return sorted_rows(num_nodes, source, target, options);
}

}  // namespace

struct Graph::Transpose {
  std::once_flag once;
  std::atomic<bool> computed = false;
  Adjacency rows;
  SharedArray<EdgeId> edge;
};

Graph::Graph() : incoming_{std::vector<EdgeId>{0}, {}}, part_begin_{0, 0}, transpose_(std::make_shared<Transpose>()) {}

Graph Graph::from_edges(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
                        const GraphOptions& options) {
  Graph graph;
  graph.incoming_ = checked_rows(num_nodes, source, target, options);
  graph.part_begin_ = {0, num_nodes};
  return graph;
}

Graph Graph::from_wide_edges(NodeId num_nodes, std::span<const int64_t> source, std::span<const int64_t> target,
                             const GraphOptions& options) {
  Graph graph;
  graph.incoming_ = checked_rows(num_nodes, source, target, options);
  graph.part_begin_ = {0, num_nodes};
  return graph;
}

Graph Graph::from_incoming(Adjacency incoming, std::vector<NodeId> part_begin) {
  check_rows(incoming);
  Graph graph;
  graph.incoming_ = std::move(incoming);
  graph.part_begin_ = {0, graph.num_nodes()};
  return part_begin.empty() ? graph : graph.with_parts(std::move(part_begin));
}

Graph Graph::moved_to(Adjacency incoming) const {
  assert(incoming.offset.size() == incoming_.offset.size() && incoming.neighbour.size() == incoming_.neighbour.size());
  Graph graph;
  graph.incoming_ = std::move(incoming);
  graph.part_begin_ = part_begin_;
  return graph;
}

Graph Graph::disjoint_union(std::span<const Graph> graphs) {
  int64_t nodes = 0;
  EdgeId edges = 0;
  for (const Graph& graph : graphs) nodes += graph.num_nodes(), edges += graph.num_edges();
  if (nodes > std::numeric_limits<NodeId>::max())
    fail("graph: a union of ", nodes, " nodes, but node ids have 32 bits");
  const LargeArray<EdgeId> offset(nodes + 1);
  const LargeArray<NodeId> neighbour(edges);
  std::vector<NodeId> part_begin{0};
  NodeId first_node = 0;
  EdgeId first_edge = offset[0] = 0;
  for (const Graph& graph : graphs) {
    for (NodeId row = 0; row < graph.num_nodes(); ++row)
      offset[first_node + row + 1] = first_edge + graph.incoming_.offset[row + 1];
    for (EdgeId e = 0; e < graph.num_edges(); ++e)
      neighbour[first_edge + e] = first_node + graph.incoming_.neighbour[e];
    for (int64_t p = 1; p <= graph.num_parts(); ++p) part_begin.push_back(first_node + graph.part_begin(p));
    first_node += graph.num_nodes(), first_edge += graph.num_edges();
  }
  Graph result;
  result.incoming_ = {offset.share(), neighbour.share()};
  if (part_begin.size() > 1) result.part_begin_ = std::move(part_begin);
  return result;
}

const Adjacency& Graph::outgoing() const {
  std::call_once(transpose_->once, [this] {
    const auto turned = transposed<EdgeId>(incoming_.offset.span(), incoming_.neighbour.span(), num_nodes(),
                                           [](EdgeId edge) { return edge; });
    transpose_->rows = {turned.offset.share(), turned.row.share()};
    transpose_->edge = turned.carried.share();
    transpose_->computed = true;
  });
  return transpose_->rows;
}

const SharedArray<EdgeId>& Graph::outgoing_edge() const {
  outgoing();
  return transpose_->edge;
}

Graph Graph::with(const GraphOptions& options) const {
  Graph graph;
  graph.part_begin_ = part_begin_;
  if (options.symmetrise) {
    const SharedArray<NodeId> target = rows_of_entries(incoming_);
    graph.incoming_ = sorted_rows(num_nodes(), incoming_.neighbour.span(), target.span(), options);
  } else {
    graph.incoming_ = edited_rows(incoming_, options);
  }
  return graph;
}

int64_t Graph::part_of(NodeId node) const {
  if (node < 0 || node >= num_nodes()) fail("graph: node ", node, " of ", num_nodes());
  return std::upper_bound(part_begin_.begin(), part_begin_.end(), node) - part_begin_.begin() - 1;
}

Graph Graph::part(int64_t part) const {
  if (part < 0 || part >= num_parts()) fail("graph: part ", part, " of ", num_parts());
  const NodeId first = part_begin(part), last = part_begin(part + 1);
  const EdgeId first_edge = incoming_.offset[first];
  const LargeArray<EdgeId> offset(last - first + 1);
  const LargeArray<NodeId> neighbour(incoming_.offset[last] - first_edge);
  for (NodeId row = first; row <= last; ++row) offset[row - first] = incoming_.offset[row] - first_edge;
  for (EdgeId e = first_edge; e < incoming_.offset[last]; ++e)
    neighbour[e - first_edge] = incoming_.neighbour[e] - first;
  Graph graph;
  graph.incoming_ = {offset.share(), neighbour.share()};
  graph.part_begin_ = {0, last - first};
  return graph;
}

Graph Graph::select(std::span<const int64_t> parts) const {
  std::vector<Graph> chosen;
  chosen.reserve(parts.size());
  for (const int64_t p : parts) chosen.push_back(part(p));
  return disjoint_union(chosen);
}

Graph Graph::with_parts(std::vector<NodeId> part_begin) const {
  if (part_begin.size() < 2 || part_begin.front() != 0 || part_begin.back() != num_nodes() ||
      !std::is_sorted(part_begin.begin(), part_begin.end())) {
    fail("graph: parts must begin at node 0, ascend and end at ", num_nodes());
  }
  Graph graph = *this;
  graph.part_begin_ = std::move(part_begin);
  const int64_t leaving = first_in_parallel(num_nodes(), [&](int64_t row) {
    const auto neighbours = incoming_.neighbours(static_cast<NodeId>(row));
    if (neighbours.empty()) return false;
    const int64_t p = graph.part_of(static_cast<NodeId>(row));
    return neighbours.front() < graph.part_begin(p) || neighbours.back() >= graph.part_begin(p + 1);
  });
  if (leaving == num_nodes()) return graph;
  const auto row = static_cast<NodeId>(leaving);
  const int64_t p = graph.part_of(row);
  const auto neighbours = incoming_.neighbours(row);
  const NodeId j = *std::ranges::find_if(
      neighbours, [&](NodeId n) { return n < graph.part_begin(p) || n >= graph.part_begin(p + 1); });
  fail("graph: the edge ", j, " -> ", row, " leaves part ", p);
}

// Compared with rows by source: those of the transpose, if it has been computed.
bool Graph::is_symmetric() const {
  if (transpose_->computed) return same_rows(incoming_, outgoing());
  const SharedArray<NodeId> target = rows_of_entries(incoming_);
  return same_rows(incoming_,
                   sorted_rows(num_nodes(), target.span(), incoming_.neighbour.span(), {.merge_duplicates = false}));
}

EdgeId Graph::num_self_loops() const {
  std::atomic<EdgeId> loops = 0;
  in_parallel(num_nodes(), kRowsAtOnce, [&](int64_t begin, int64_t end) {
    EdgeId here = 0;
    for (int64_t row = begin; row < end; ++row) {
      const auto neighbours = incoming_.neighbours(static_cast<NodeId>(row));
      const auto [first, last] = std::equal_range(neighbours.begin(), neighbours.end(), static_cast<NodeId>(row));
      here += last - first;
    }
    loops += here;
  });
  return loops;
}

std::vector<NodeId> Graph::components() const {
  NodeForest forest(num_nodes());
  in_parallel(num_nodes(), kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (auto row = static_cast<NodeId>(begin); row < end; ++row) {
      for (const NodeId j : incoming_.neighbours(row)) forest.join(row, j);
    }
  });
  NodeId count = 0;
  std::vector<NodeId> component(static_cast<size_t>(num_nodes()));
  for (NodeId node = 0; node < num_nodes(); ++node) {
    const NodeId root = forest.root(node);
    component[static_cast<size_t>(node)] = root == node ? count++ : component[static_cast<size_t>(root)];
  }
  return component;
}

}  // namespace geniepath
