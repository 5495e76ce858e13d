// Rows that come after training: nodes to score, with the features that a run's node tables give them.
#pragma once

#include <memory>
#include <optional>

#include "data/node_names.h"
#include "data/tables/table_features.h"

namespace geniepath {

// Rows of exactly the feature columns of one of a run's node tables, in the run's order.
TableColumns columns_of(const TableSchema::Table& table, const TableOptions& options);

// One sentence per column with categories unseen in training, from schema.unseen.
std::vector<std::string> unseen_notes(const TableSchema& schema);

// Turns rows into features. The options are those of the run, with what was given for the new rows.
class NewFeatures {
 public:
  NewFeatures(const TableOptions& options, TableSchema& schema);

  // Tables, by number in the schema, must come in ascending order. A cell that does not match the schema is an Error.
  void add(size_t table, const TableColumns& columns, const TableRow& row);
  // `order` lists the rows in the desired order; empty: as added. To be called once.
  Features finish(std::span<const NodeId> order = {});

 private:
  void begin(const TableColumns& columns);
  void skip_to(size_t table);  // ends the open table

  const TableOptions& options_;
  TableSchema& schema_;
  TableFeatures features_;
  size_t next_ = 0;  // table to begin
  bool open_ = false;
};

struct NewBatch {
  Interner ids;
  std::vector<std::string> types;  // empty if the run has one kind of node
  Features features;               // as in the tables: not yet prepared
};

// Reads tables of new rows, some rows at a time.
class NewRows {
 public:
  // options.nodes names the tables; `kinds` are the names of the run's node tables. With as many tables as the run has,
  // each is of the kind that in_order_of() gives it; with fewer, of the kind that its name or else its columns show. An
  // Error if that is unclear. All arguments must outlive this.
  NewRows(const TableOptions& options, TableSchema& schema, std::vector<std::string> kinds, const NodeNames& known);

  // The next rows, at most `most`; none at the end. An id that the graph or an earlier row of the batch has is an
  // Error.
  NewBatch next(int64_t most);
  bool at_end() const { return !reader_; }
  double share_read() const;  // of the tables, as if all were of the same size

 private:
  struct Table {
    std::string path;
    size_t number;  // in the schema
  };
  size_t number_of(const std::string& path) const;
  TableColumns read_columns(const CsvReader& first_row) const;
  void open_next();
  std::string next_number();  // id of the next row where rows are numbered
  void add_id(NewBatch& batch);
  void add_type(NewBatch& batch) const;

  const TableOptions& options_;
  TableSchema& schema_;
  std::vector<std::string> kinds_;
  const NodeNames& known_;
  std::optional<int64_t> num_numbered_;  // rows of the graph whose ids are their numbers; none: not yet counted
  std::vector<Table> tables_;
  size_t next_table_ = 0;
  std::unique_ptr<CsvReader> reader_;  // at the next row; null at the end
  TableColumns columns_;               // of the open table
  int64_t rows_ = 0;                   // read so far
};

}  // namespace geniepath
