// Who points at whom: an immutable graph in compressed rows, by destination and by source.
//
// Node ids are 32 bits, edge offsets 64. An edge (i <- j) carries a message from its source j to its destination i.
// A Graph may be a disjoint union of parts (a batch of graphs): part g owns the nodes part_begin(g)..part_begin(g+1)-1
// and no edge joins two parts. Copies are cheap, they share the arrays; all methods are safe to call from many threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/shared_array.h"

namespace geniepath GENIEPATH_EXPORT {

using NodeId = int32_t;
using EdgeId = int64_t;

enum class SelfLoops {
  kKeep,    // as the edge list has them
  kAdd,     // exactly one a node: the paper's N(i) + {i}
  kRemove,  // none
};

struct GraphOptions {
  bool symmetrise = false;  // every edge also in the other direction
  SelfLoops self_loops = SelfLoops::kKeep;
  bool merge_duplicates = true;  // parallel edges become one; false keeps each
};

// Compressed rows. Row r lists neighbour[offset[r]] .. neighbour[offset[r+1] - 1], in ascending order.
struct Adjacency {
  SharedArray<EdgeId> offset;      // rows + 1
  SharedArray<NodeId> neighbour;   // one an edge

  NodeId rows() const { return static_cast<NodeId>(offset.empty() ? 0 : offset.size() - 1); }
  EdgeId degree(NodeId row) const { return offset[row + 1] - offset[row]; }
  std::span<const NodeId> neighbours(NodeId row) const { return neighbour.span(offset[row], offset[row + 1]); }
};

class Graph {
 public:
  Graph();  // no nodes

  // Builds from an edge list; source[e] and target[e] in 0..num_nodes-1, or an Error names the first that is not.
  static Graph from_edges(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
                          const GraphOptions& options = {});

  // Takes rows that are already by destination, sorted within each row (checked), for instance out of a mapped file.
  static Graph from_incoming(Adjacency incoming, std::vector<NodeId> part_begin = {});

  // One graph of all the parts of all the graphs, in order.
  static Graph disjoint_union(std::span<const Graph> graphs);

  NodeId num_nodes() const { return incoming_.rows(); }
  EdgeId num_edges() const { return incoming_.neighbour.size(); }

  // By destination: row i lists the sources j of the edges (i <- j). The position in it is the edge's id.
  const Adjacency& incoming() const { return incoming_; }
  // By source, the transpose: row j lists the destinations i of the edges (i <- j). Made on first use.
  const Adjacency& outgoing() const;
  // For each position in outgoing(): the id of that edge, its position in incoming().
  const SharedArray<EdgeId>& outgoing_edge() const;

  // The same nodes, with the edge list put through the options again (for instance to add self-loops).
  Graph with(const GraphOptions& options) const;

  // The way back from a union. A graph that is no union has one part.
  int64_t num_parts() const { return static_cast<int64_t>(part_begin_.size()) - 1; }
  NodeId part_begin(int64_t part) const { return part_begin_[static_cast<size_t>(part)]; }
  const std::vector<NodeId>& part_begins() const { return part_begin_; }
  int64_t part_of(NodeId node) const;
  Graph part(int64_t part) const;
  // The union of the chosen parts, in the order given: a batch of whole graphs.
  Graph select(std::span<const int64_t> parts) const;
  // The same graph, said to consist of these parts: part_begin runs 0 .. num_nodes; an edge across two is an Error.
  Graph with_parts(std::vector<NodeId> part_begin) const;

  bool is_symmetric() const;
  EdgeId num_self_loops() const;
  // Connected components, direction ignored: a component number for every node, numbered by their smallest node.
  std::vector<NodeId> components() const;

 private:
  struct Transpose;
  Adjacency incoming_;
  std::vector<NodeId> part_begin_;
  std::shared_ptr<Transpose> transpose_;
};

}  // namespace geniepath
