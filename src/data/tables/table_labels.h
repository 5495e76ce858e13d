// The labels of node tables. One label column: one class per node, a text or a number however it is written (1, 1.0),
// or any number of labels per node separated by ';' or '|'. Several label columns: one label each, 0 or 1. An empty
// cell is an unlabelled node; a lone '|' or ';' is a node labelled with none.
#pragma once

#include "data/tables/table_columns.h"
#include "geniepath/dataset.h"
#include "io/csv.h"
#include "io/interner.h"

namespace geniepath {

class TableLabels {
 public:
  TableLabels(const TableOptions& options, TableSchema& schema);

  // Returns whether the row is labelled.
  bool add_row(const CsvReader& row, const TableColumns& columns);
  void add_unlabelled_rows(int64_t rows);
  // One number per row from `first` on: equal for equal labels, negative if unlabelled. Empty with several label
  // columns.
  std::span<const int32_t> numbers_of_rows(size_t first) const;

  // Sets the task, the metric, the labels and the classes. `order` lists the rows in the desired order; empty: as read.
  void finish(std::span<const NodeId> order, Dataset& data);

 private:
  void check_known(std::string_view text, const CsvReader& row) const;
  int64_t class_of(std::string_view text, const std::vector<std::string>& classes) const;
  bool is_mark(std::string_view text) const;
  void check_repeated(size_t classes) const;
  bool add_columns(const CsvReader& row, const TableColumns& columns);
  bool is_multi_label() const;
  void finish_classes(std::span<const NodeId> order, Dataset& data) const;
  void finish_columns(std::span<const NodeId> order, Dataset& data) const;
  std::vector<std::vector<int64_t>> class_numbers(const std::vector<std::vector<std::string>>& lists,
                                                  const std::vector<std::string>& classes) const;
  void finish_lists(std::span<const NodeId> order, Dataset& data) const;
  std::vector<std::string> two_classes(std::vector<std::string> classes) const;

  TableSchema& schema_;
  bool follows_;  // the schema
  std::vector<std::string> columns_;
  TableTask task_;
  std::string positive_;
  std::vector<int32_t> text_of_;  // per row: index into texts_, -1 if unlabelled; several columns: 0 or -1
  Interner texts_;                // the cells of the one label column
  int64_t marked_ = 0;            // of these, marks for an unknown label
  std::string mark_{};            // the last of them
  std::vector<uint8_t> bits_;     // several columns: [rows, columns]
};

}  // namespace geniepath
