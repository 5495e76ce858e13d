// The features of node tables. Every table has a block of columns of its own: its columns of numbers and dates, then
// its one-hot columns (one feature per value, values in sorted order), then the marks of empty cells, then its sparse
// column ("index:value" pairs).
#pragma once

#include <filesystem>

#include "data/tables/table_columns.h"
#include "data/tables/table_profile.h"
#include "data/tables/table_suspects.h"
#include "geniepath/dataset.h"
#include "io/csv.h"
#include "io/interner.h"

namespace geniepath {

class TableFeatures {
 public:
  // With `look_first`, each table is read once beforehand to find columns that do not hold numbers.
  TableFeatures(const TableOptions& options, TableSchema& schema, bool look_first);

  // Begins the next table's block. Reads the table once if that is needed to lay it out: for the values of its one-hot
  // columns, for means, or to look first.
  void begin_table(const std::filesystem::path& path, const TableColumns& columns);
  // False if a column does not hold numbers after all: reading must start again, and look first.
  [[nodiscard]] bool add_row(const TableRow& row);
  // Suspicions about the columns of the table whose rows were added last; `label` as in suspicious_columns().
  std::vector<std::string> suspects(std::span<const int32_t> label) const;
  void end_table();
  void add_empty_rows(int64_t rows);

  // Dense if there is no sparse column and the tables' cells fill at least a quarter of it; sparse otherwise.
  // `order` lists the rows in the desired order; empty: as read.
  Features finish(std::span<const NodeId> order);

 private:
  struct Number {
    int column;
    bool is_date = false;
    double mean = 0;
    int64_t mark = -1;  // the feature that marks empty cells; -1: none
  };

  void begin_learned_table();
  void find_kinds(const std::filesystem::path& path);
  void take_kind(const ColumnProfile& profile, const std::filesystem::path& path);
  void lay_out(const std::filesystem::path& path);
  void learn_table();
  const std::string& name_of(int column) const { return table_.names[static_cast<size_t>(column)]; }

  bool add_number(size_t which, std::string_view field, const TableRow& row);
  double missing_value(const Number& number, std::string_view field, const TableRow& row);
  void add_category(size_t which, std::string_view field, const TableRow& row);
  void add_sparse(std::string_view field, const TableRow& row);
  void add_pair(std::string_view pair, const TableRow& row);
  void sort_pairs(size_t from, const TableRow& row);
  void push(int64_t column, float value) {
    column_.push_back(static_cast<int32_t>(column));
    value_.push_back(value);
  }

  TableSchema& schema_;
  bool follows_;  // the schema
  bool looks_first_;
  size_t table_number_ = 0;
  char separator_;
  int64_t sparse_size_;
  Missing missing_;
  int32_t most_categories_;
  TableColumns table_;                // of the table being read
  std::vector<Number> numbers_;       // its columns of numbers and dates
  std::vector<std::string> left_out_;
  std::vector<size_t> marked_;        // of numbers_
  std::vector<int64_t> marks_;        // of the row being read
  size_t first_row_ = 0;              // of the table
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
