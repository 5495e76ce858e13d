// The edge tables: pairs of nodes, by number in order of appearance.
#pragma once

#include "data/tables/table_nodes.h"

namespace geniepath {

class TableEdges {
 public:
  TableEdges(const TableOptions& options, TableNodes& nodes, TableReport& report);

  void read(const std::string& path);
  // An Error if the edges and the node tables have no id in common, or every edge was skipped.
  void check_matched() const;
  // Maps numbers in order of appearance to positions in the desired order.
  void renumber(std::span<const NodeId> order);

  // The graph, with parallel edges merged. Counts these, self-loops and nodes without edges.
  Graph graph() const;

 private:
  int32_t end_of(std::string_view id, const CsvReader& row);

  const TableOptions& options_;
  UnknownNodes unknown_nodes_;
  TableNodes& nodes_;
  TableReport& report_;
  std::vector<NodeId> source_, target_;
  int64_t known_ends_ = 0;     // in node tables
  std::string first_unknown_;  // "edges.csv:3: the id 'd9'"
};

}  // namespace geniepath
