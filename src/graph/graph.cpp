#include "geniepath/graph.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "geniepath/error.h"
#include "graph/csr.h"

namespace geniepath {
namespace {

struct EdgeList {
  std::vector<NodeId> source, target;
  size_t size() const { return source.size(); }
};

void check_ids(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target) {
  if (num_nodes < 0) fail("graph: ", num_nodes, " nodes, expected 0 or more");
  if (source.size() != target.size()) {
    fail("graph: ", source.size(), " edge sources but ", target.size(), " edge targets");
  }
  for (size_t e = 0; e < source.size(); ++e) {
    for (const NodeId node : {source[e], target[e]}) {
      if (node < 0 || node >= num_nodes) {
        fail("graph: edge ", e, " (", source[e], " -> ", target[e], ") names node ", node, ", but there are ",
             num_nodes, " nodes");
      }
    }
  }
}

EdgeList apply(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
               const GraphOptions& options) {
  EdgeList edges;
  const size_t room = source.size() * (options.symmetrise ? 2 : 1) +
                      (options.self_loops == SelfLoops::kAdd ? static_cast<size_t>(num_nodes) : 0);
  edges.source.reserve(room);
  edges.target.reserve(room);
  const auto add = [&](NodeId s, NodeId t) {
    edges.source.push_back(s);
    edges.target.push_back(t);
  };
  for (size_t e = 0; e < source.size(); ++e) {
    const bool loop = source[e] == target[e];
    if (loop && options.self_loops != SelfLoops::kKeep) continue;
    add(source[e], target[e]);
    if (options.symmetrise && !loop) add(target[e], source[e]);
  }
  if (options.self_loops == SelfLoops::kAdd) {
    for (NodeId i = 0; i < num_nodes; ++i) add(i, i);
  }
  return edges;
}

// Stable counting sort of `order` by key[order[.]]; returns where each key's run begins (num_keys + 1 offsets).
std::vector<EdgeId> sort_by(NodeId num_keys, std::span<const NodeId> key, std::vector<EdgeId>& order) {
  std::vector<EdgeId> offset(static_cast<size_t>(num_keys) + 1, 0);
  for (const NodeId k : key) ++offset[static_cast<size_t>(k) + 1];
  std::partial_sum(offset.begin(), offset.end(), offset.begin());
  std::vector<EdgeId> next(offset.begin(), offset.end() - 1);
  std::vector<EdgeId> sorted(order.size());
  for (const EdgeId e : order) sorted[static_cast<size_t>(next[static_cast<size_t>(key[static_cast<size_t>(e)])]++)] = e;
  order.swap(sorted);
  return offset;
}

std::vector<EdgeId> identity_order(size_t size) {
  std::vector<EdgeId> order(size);
  std::iota(order.begin(), order.end(), EdgeId{0});
  return order;
}

// Rows by target, sources ascending within a row: a radix sort with the two ids as digits.
Adjacency compress(NodeId num_nodes, const EdgeList& edges, bool merge_duplicates) {
  std::vector<EdgeId> order = identity_order(edges.size());
  sort_by(num_nodes, edges.source, order);
  std::vector<EdgeId> offset = sort_by(num_nodes, edges.target, order);
  std::vector<NodeId> neighbour;
  neighbour.reserve(edges.size());
  std::vector<EdgeId> kept(offset.size(), 0);
  for (NodeId row = 0; row < num_nodes; ++row) {
    const auto row_start = static_cast<EdgeId>(neighbour.size());
    for (EdgeId at = offset[static_cast<size_t>(row)]; at < offset[static_cast<size_t>(row) + 1]; ++at) {
      const NodeId s = edges.source[static_cast<size_t>(order[static_cast<size_t>(at)])];
      const bool first = static_cast<EdgeId>(neighbour.size()) == row_start;
      if (!merge_duplicates || first || neighbour.back() != s) neighbour.push_back(s);
    }
    kept[static_cast<size_t>(row) + 1] = static_cast<EdgeId>(neighbour.size());
  }
  return {std::move(kept), std::move(neighbour)};
}

EdgeList list_edges(const Adjacency& incoming) {
  EdgeList edges;
  edges.source.assign(incoming.neighbour.begin(), incoming.neighbour.end());
  edges.target.reserve(edges.source.size());
  for (NodeId row = 0; row < incoming.rows(); ++row) {
    edges.target.insert(edges.target.end(), static_cast<size_t>(incoming.degree(row)), row);
  }
  return edges;
}

void check_rows(const Adjacency& incoming) {
  const int64_t rows = std::max<int64_t>(incoming.offset.size() - 1, 0);
  check_csr(rows, rows, incoming.offset.span(), incoming.neighbour.span(), "graph");
  for (NodeId row = 0; row < incoming.rows(); ++row) {
    const auto neighbours = incoming.neighbours(row);
    if (!std::is_sorted(neighbours.begin(), neighbours.end())) {
      fail("graph: the neighbours of row ", row, " are not ascending");
    }
  }
}

NodeId find_root(std::vector<NodeId>& parent, NodeId node) {
  while (parent[static_cast<size_t>(node)] != node) {
    parent[static_cast<size_t>(node)] = parent[static_cast<size_t>(parent[static_cast<size_t>(node)])];
    node = parent[static_cast<size_t>(node)];
  }
  return node;
}

}  // namespace

struct Graph::Transpose {
  std::once_flag once;
  Adjacency rows;
  SharedArray<EdgeId> edge;
};

Graph::Graph() : incoming_{std::vector<EdgeId>{0}, {}}, part_begin_{0, 0}, transpose_(std::make_shared<Transpose>()) {}

Graph Graph::from_edges(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
                        const GraphOptions& options) {
  check_ids(num_nodes, source, target);
  Graph graph;
  graph.incoming_ = compress(num_nodes, apply(num_nodes, source, target, options), options.merge_duplicates);
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

Graph Graph::disjoint_union(std::span<const Graph> graphs) {
  int64_t nodes = 0;
  EdgeId edges = 0;
  for (const Graph& graph : graphs) nodes += graph.num_nodes(), edges += graph.num_edges();
  if (nodes > std::numeric_limits<NodeId>::max()) fail("graph: a union of ", nodes, " nodes, but node ids have 32 bits");
  std::vector<EdgeId> offset{0};
  std::vector<NodeId> neighbour, part_begin{0};
  offset.reserve(static_cast<size_t>(nodes) + 1);
  neighbour.reserve(static_cast<size_t>(edges));
  for (const Graph& graph : graphs) {
    const auto first_node = static_cast<NodeId>(offset.size() - 1);
    const auto first_edge = static_cast<EdgeId>(neighbour.size());
    for (NodeId row = 0; row < graph.num_nodes(); ++row) offset.push_back(first_edge + graph.incoming_.offset[row + 1]);
    for (const NodeId j : graph.incoming_.neighbour) neighbour.push_back(first_node + j);
    for (int64_t p = 1; p <= graph.num_parts(); ++p) part_begin.push_back(first_node + graph.part_begin(p));
  }
  Graph result;
  result.incoming_ = {std::move(offset), std::move(neighbour)};
  if (part_begin.size() > 1) result.part_begin_ = std::move(part_begin);
  return result;
}

const Adjacency& Graph::outgoing() const {
  std::call_once(transpose_->once, [this] {
    const EdgeList edges = list_edges(incoming_);
    std::vector<EdgeId> order = identity_order(edges.size());
    std::vector<EdgeId> offset = sort_by(num_nodes(), edges.source, order);
    std::vector<NodeId> destination(edges.size());
    for (size_t at = 0; at < order.size(); ++at) destination[at] = edges.target[static_cast<size_t>(order[at])];
    transpose_->rows = {std::move(offset), std::move(destination)};
    transpose_->edge = std::move(order);
  });
  return transpose_->rows;
}

const SharedArray<EdgeId>& Graph::outgoing_edge() const {
  outgoing();
  return transpose_->edge;
}

Graph Graph::with(const GraphOptions& options) const {
  const EdgeList edges = list_edges(incoming_);
  return from_edges(num_nodes(), edges.source, edges.target, options).with_parts(part_begin_);
}

int64_t Graph::part_of(NodeId node) const {
  if (node < 0 || node >= num_nodes()) fail("graph: node ", node, " of ", num_nodes());
  return std::upper_bound(part_begin_.begin(), part_begin_.end(), node) - part_begin_.begin() - 1;
}

Graph Graph::part(int64_t part) const {
  if (part < 0 || part >= num_parts()) fail("graph: part ", part, " of ", num_parts());
  const NodeId first = part_begin(part), last = part_begin(part + 1);
  const EdgeId first_edge = incoming_.offset[first];
  std::vector<EdgeId> offset;
  std::vector<NodeId> neighbour;
  offset.reserve(static_cast<size_t>(last - first) + 1);
  for (NodeId row = first; row <= last; ++row) offset.push_back(incoming_.offset[row] - first_edge);
  for (const NodeId j : incoming_.neighbour.span(first_edge, incoming_.offset[last])) neighbour.push_back(j - first);
  Graph graph;
  graph.incoming_ = {std::move(offset), std::move(neighbour)};
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
  for (int64_t p = 0; p < graph.num_parts(); ++p) {
    const NodeId first = graph.part_begin(p), last = graph.part_begin(p + 1);
    for (NodeId row = first; row < last; ++row) {
      for (const NodeId j : incoming_.neighbours(row)) {
        if (j < first || j >= last) fail("graph: the edge ", j, " -> ", row, " leaves part ", p);
      }
    }
  }
  return graph;
}

// Rows are visited in ascending order, so in a symmetric graph the rows that list j come in the order of j's own list.
bool Graph::is_symmetric() const {
  std::vector<EdgeId> next(static_cast<size_t>(num_nodes()));
  std::copy_n(incoming_.offset.begin(), next.size(), next.begin());
  for (NodeId i = 0; i < num_nodes(); ++i) {
    for (const NodeId j : incoming_.neighbours(i)) {
      EdgeId& edge = next[static_cast<size_t>(j)];
      if (edge == incoming_.offset[j + 1] || incoming_.neighbour[edge] != i) return false;
      ++edge;
    }
  }
  return true;
}

EdgeId Graph::num_self_loops() const {
  EdgeId loops = 0;
  for (NodeId row = 0; row < num_nodes(); ++row) {
    const auto list = incoming_.neighbours(row);
    const auto [first, last] = std::equal_range(list.begin(), list.end(), row);
    loops += last - first;
  }
  return loops;
}

std::vector<NodeId> Graph::components() const {
  std::vector<NodeId> parent(static_cast<size_t>(num_nodes()));
  std::iota(parent.begin(), parent.end(), NodeId{0});
  for (NodeId row = 0; row < num_nodes(); ++row) {
    for (const NodeId j : incoming_.neighbours(row)) {
      const NodeId a = find_root(parent, row), b = find_root(parent, j);
      parent[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  NodeId count = 0;
  std::vector<NodeId> component(parent.size());
  for (NodeId node = 0; node < num_nodes(); ++node) {
    const NodeId root = find_root(parent, node);
    component[static_cast<size_t>(node)] = root == node ? count++ : component[static_cast<size_t>(root)];
  }
  return component;
}

}  // namespace geniepath
