// The node tables, read one after the other: ids, features, labels, splits, graphs and types of the rows.
#pragma once

#include "data/tables/table_features.h"
#include "data/tables/table_labels.h"
#include "io/interner.h"

namespace geniepath {

class TableNodes {
 public:
  TableNodes(const TableOptions& options, TableSchema& schema);

  void read(const std::vector<std::string>& paths);

  // Number of a node by its id, in order of appearance; -1 where there is none.
  int32_t find(std::string_view id) const { return ids_.find(id); }
  // A node that only edges name: no features, no label.
  int32_t add_unlisted(std::string_view id, const CsvReader& row);
  int32_t size() const { return ids_.size(); }
  bool has_graphs() const { return !graph_of_.empty(); }
  int32_t graph_of(int32_t node) const { return graph_of_[static_cast<size_t>(node)]; }
  std::string_view graph_name(int32_t graph) const { return graphs_[graph]; }

  // The nodes with those of one graph next to each other, and where each graph begins; empty without a graph column.
  std::vector<NodeId> order() const;
  std::vector<NodeId> part_begins() const;
  // Fills everything of the data set but its graph.
  void finish(std::span<const NodeId> order, Dataset& data);

 private:
  void read_table(const std::string& path);
  void add_row(const CsvReader& row, const TableColumns& columns, const std::string& kind);
  void add_graph(const CsvReader& row, const TableColumns& columns);
  void add_split(const CsvReader& row, const TableColumns& columns, bool labelled);
  void add_type(std::string_view type, const CsvReader& row);
  void finish_names(std::span<const NodeId> order, Dataset& data) const;
  void finish_splits(std::span<const NodeId> order, Dataset& data) const;
  bool splits_keep_to_graphs() const;

  const TableOptions& options_;
  TableSchema& schema_;
  bool several_tables_ = false;
  int32_t num_unlisted_ = 0;
  std::vector<TableColumns> tables_;
  Interner ids_, graphs_, types_;
  TableFeatures features_;
  TableLabels labels_;
  std::vector<uint8_t> split_of_;  // Split, one a row
  std::vector<int32_t> graph_of_;  // one a row, or empty
  std::vector<uint8_t> type_of_;   // one a row, or empty
};

}  // namespace geniepath
