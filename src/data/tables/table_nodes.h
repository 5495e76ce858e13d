// The node tables, read one after another: ids, features, labels, splits, graphs and types of the rows.
#pragma once

#include "data/tables/table_features.h"
#include "data/tables/table_labels.h"
#include "io/interner.h"

namespace geniepath {

class TableNodes {
 public:
  // `look_first` as for TableFeatures.
  TableNodes(const TableOptions& options, TableSchema& schema, bool look_first);

  // Tables for a run are read in the run's order. False if reading must start again, and look first.
  [[nodiscard]] bool read(const std::vector<std::string>& paths);

  // Number of the node with this id, in order of appearance; -1 for none. Whole numbers must be written as
  // whole_number_text() writes them, here and below.
  int32_t find(std::string_view id) const { return ids_.find(id); }
  // Adds a node named only by edges, without features or label.
  int32_t add_unlisted(std::string_view id, const CsvReader& row);
  int32_t size() const { return ids_.size(); }
  int32_t num_listed() const { return ids_.size() - num_unlisted_; }  // in node tables
  std::string_view id(int32_t node) const { return ids_[node]; }
  bool has_graphs() const { return !graph_of_.empty(); }
  int32_t graph_of(int32_t node) const { return graph_of_[static_cast<size_t>(node)]; }
  std::string_view graph_name(int32_t graph) const { return graphs_[graph]; }

  // The nodes grouped by graph, and the position at which each graph begins; both empty without a graph column.
  std::vector<NodeId> order() const;
  std::vector<NodeId> part_begins() const;
  // Fills the data set except for its graph.
  void finish(std::span<const NodeId> order, Dataset& data);

 private:
  void check_headers(const std::vector<std::string>& paths) const;
  bool read_table(const std::string& path);
  bool read_rows(CsvReader& table, const TableColumns& columns, const std::string& kind);
  bool add_row(const CsvReader& row, const TableColumns& columns, const std::string& kind);
  void add_id(const CsvReader& row, const TableColumns& columns);
  void add_graph(const CsvReader& row, const TableColumns& columns);
  void add_split(const CsvReader& row, const TableColumns& columns, bool labelled);
  void add_type(std::string_view type, const CsvReader& row);
  void finish_names(std::span<const NodeId> order, Dataset& data) const;
  void finish_splits(std::span<const NodeId> order, Dataset& data) const;
  std::vector<int32_t> table_of_node(std::span<const NodeId> order) const;
  bool splits_keep_to_graphs() const;

  const TableOptions& options_;
  TableSchema& schema_;
  bool several_tables_ = false;
  int32_t num_unlisted_ = 0;
  std::vector<TableColumns> tables_;
  std::vector<int32_t> first_row_;  // one per table
  Interner ids_, graphs_, types_;
  TableFeatures features_;
  TableLabels labels_;
  std::vector<uint8_t> split_of_;  // Split, one per row
  std::vector<int32_t> graph_of_;  // one per row, or empty
  std::vector<uint8_t> type_of_;   // one per row, or empty
};

}  // namespace geniepath
