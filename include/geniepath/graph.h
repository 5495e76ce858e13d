// An immutable directed graph in compressed rows, by destination and by source.
//
// Node ids are 32 bits, edge offsets 64. An edge (i <- j) carries a message from its source j to its destination i.
// A Graph may be a disjoint union of parts (a batch of graphs): part g owns the nodes from part_begin(g) to before
// part_begin(g + 1), and no edge joins two parts. Copies are cheap: they share the arrays. All methods may be called
// from several threads at once.
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
  kKeep,    // those of the edge list
  kAdd,     // exactly one per node: the paper's N(i) + {i}
  kRemove,  // none
};

struct GraphOptions {
  bool symmetrise = false;  // adds the reverse of every edge
  SelfLoops self_loops = SelfLoops::kKeep;
  bool merge_duplicates = true;  // merges parallel edges into one
};

// Compressed rows. Row r lists neighbour[offset[r]] .. neighbour[offset[r+1] - 1], in ascending order.
struct Adjacency {
  SharedArray<EdgeId> offset;      // rows + 1
  SharedArray<NodeId> neighbour;   // one per edge

  NodeId rows() const { return static_cast<NodeId>(offset.empty() ? 0 : offset.size() - 1); }
  EdgeId degree(NodeId row) const { return offset[row + 1] - offset[row]; }
  std::span<const NodeId> neighbours(NodeId row) const { return neighbour.span(offset[row], offset[row + 1]); }
};

class Graph {
 public:
  Graph();  // no nodes

  // Builds a graph from an edge list. The Error names the first edge with an id outside 0 .. num_nodes - 1.
  static Graph from_edges(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
                          const GraphOptions& options = {});

  // The same for ids of 64 bits, as tensors and data frames have them, without a copy of the list.
  static Graph from_wide_edges(NodeId num_nodes, std::span<const int64_t> source, std::span<const int64_t> target,
                               const GraphOptions& options = {});

  // Takes rows by destination, each sorted, without copying, e.g. from a mapped file. Invalid rows are an Error.
  static Graph from_incoming(Adjacency incoming, std::vector<NodeId> part_begin = {});

  // The same graph with its rows in other memory, which holds the same numbers: they are not checked again.
  Graph moved_to(Adjacency incoming) const;

  // The union of all parts of all graphs, in order.
  static Graph disjoint_union(std::span<const Graph> graphs);

  NodeId num_nodes() const { return incoming_.rows(); }
  EdgeId num_edges() const { return incoming_.neighbour.size(); }

  // By destination: row i lists the sources j of the edges (i <- j). An edge's id is its position here.
  const Adjacency& incoming() const { return incoming_; }
  // By source (the transpose): row j lists the destinations i of the edges (i <- j). Computed on first use.
  const Adjacency& outgoing() const;
  // For each position in outgoing(), the edge's id: its position in incoming().
  const SharedArray<EdgeId>& outgoing_edge() const;

  // The same nodes and parts, with the options applied to the edges, e.g. to add self-loops.
  Graph with(const GraphOptions& options) const;

  // Parts of a union; any other graph has one part. part_of() and part() throw an Error for an unknown node or part.
  int64_t num_parts() const { return static_cast<int64_t>(part_begin_.size()) - 1; }
  NodeId part_begin(int64_t part) const { return part_begin_[static_cast<size_t>(part)]; }
  const std::vector<NodeId>& part_begins() const { return part_begin_; }
  int64_t part_of(NodeId node) const;
  Graph part(int64_t part) const;
  // The union of the given parts, in this order: a batch of whole graphs.
  Graph select(std::span<const int64_t> parts) const;
  // The same graph, divided into parts: part_begin ascends from 0 to num_nodes. An edge between two parts is an Error.
  Graph with_parts(std::vector<NodeId> part_begin) const;

  bool is_symmetric() const;
  EdgeId num_self_loops() const;
  // Weakly connected components: one component number per node, in order of the components' smallest nodes.
  std::vector<NodeId> components() const;

 private:
  struct Transpose;
  Adjacency incoming_;
  std::vector<NodeId> part_begin_;
  std::shared_ptr<Transpose> transpose_;
};

}  // namespace geniepath
