// Edges between new rows and the graph that a run was trained on, or among new rows, read once per batch of rows.
#pragma once

#include <utility>

#include "data/node_names.h"
#include "data/tables/edge_columns.h"
#include "io/interner.h"

namespace geniepath {

// Edges of one batch, (source, target): N + r stands for its row r, then come nodes that only edges name.
struct BatchEdges {
  std::vector<std::pair<NodeId, NodeId>> edges;
  int64_t unlisted = 0;
};

class NewEdges {
 public:
  // options.edges names the tables; none: there are no edges. Both must outlive this.
  NewEdges(const TableOptions& options, const NodeNames& known);

  // The edges of a batch's rows. With unknown_nodes, an end that is neither in the graph nor in the batch is an Error,
  // skips the edge, or is a node without features; so are then the ends of edges that lead on from such nodes.
  BatchEdges of_batch(const Interner& rows);
  // After the last batch: an edge that none of them had is skipped, or an Error.
  void finish();

  int64_t num_read() const { return std::ssize(used_); }
  int64_t num_skipped() const { return skipped_; }
  int64_t num_among_known() const { return among_known_; }  // passed over: the graph stays as it is
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // The unknown ids that edges join to the rows, directly or through other unknown ids.
  Interner added_by(const Interner& rows);
  // The edges with an end among the rows or the added ids.
  BatchEdges edges_of(const Interner& rows, const Interner& added);
  // Calls visit(source, target, row, number of the edge) for every edge.
  template <class Visit>
  void read(Visit visit);

  const TableOptions& options_;
  const NodeNames& known_;
  bool first_pass_ = true;
  std::vector<bool> used_;  // per edge
  int64_t skipped_ = 0, among_known_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace geniepath
