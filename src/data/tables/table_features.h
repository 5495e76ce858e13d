// The features of node tables. Every table has a block of columns of its own: its number columns, then its one-hot
// columns (one feature per value, values in sorted order), then its sparse column ("index:value" pairs).
#pragma once

#include <filesystem>

#include "data/tables/table_columns.h"
#include "geniepath/dataset.h"
#include "io/csv.h"
#include "io/interner.h"

namespace geniepath {

class TableFeatures {
 public:
  TableFeatures(const TableOptions& options, TableSchema& schema);

  // Begins the next table's block. Reads the table once for the values of its one-hot columns, if it has any and the
  // schema does not list them.
  void begin_table(const std::filesystem::path& path, const TableColumns& columns);
  void add_row(const CsvReader& row);
  void end_table();
  void add_empty_rows(int64_t rows);

  // Dense if there is no sparse column and the tables' cells fill at least a quarter of it; sparse otherwise.
  // `order` lists the rows in the desired order; empty: as read.
  Features finish(std::span<const NodeId> order);

 private:
  void add_number(size_t which, std::string_view field, const CsvReader& row);
  void add_category(size_t which, std::string_view field, const CsvReader& row);
  void add_sparse(std::string_view field, const CsvReader& row);
  void add_pair(std::string_view pair, const CsvReader& row);
  void sort_pairs(size_t from, const CsvReader& row);
  void push(int64_t column, float value) {
    column_.push_back(static_cast<int32_t>(column));
    value_.push_back(value);
  }

  void begin_learned_table();
  void learn_table();

  TableSchema& schema_;
  bool follows_;  // the schema
  size_t table_number_ = 0;
  char separator_;
  int64_t sparse_size_;
  bool missing_is_zero_;
  TableColumns table_;                // of the table being read
  std::vector<Interner> categories_;  // of its one-hot columns
  std::vector<int64_t> category_base_;
  int64_t sparse_base_ = 0;
  int64_t widest_pair_ = 0;           // highest index of its sparse column, + 1

  int64_t num_features_ = 0;          // of the finished tables: the first column of the one being read
  int64_t cells_ = 0;
  bool has_sparse_ = false;
  std::vector<int64_t> offset_{0};
  std::vector<int32_t> column_;
  std::vector<float> value_;
};

}  // namespace geniepath
