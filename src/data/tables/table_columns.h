// The roles of a node table's columns, from its first row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geniepath/tables.h"

namespace geniepath {

struct TableColumns {
  static constexpr int kNone = -1;

  bool has_header = true;
  std::vector<std::string> names;
  int id = kNone;  // kNone: the row's number is the id
  int split = kNone, graph = kNone, type = kNone, sparse = kNone;
  std::vector<int> labels;   // as many as the label-column option names, or none
  std::vector<int> numbers;  // every column without another role
  std::vector<int> one_hot;
};

// The columns by the first row of a table, a header or not; those without a name are called column1, column2, ...
// `where` is the row's file:line. Duplicate names and a missing id column are Errors.
TableColumns find_columns(std::span<const std::string_view> first_row, const TableOptions& options,
                          const std::string& where);

// Gives the feature columns the roles and the order of training; a missing or additional one is an Error.
void follow(TableColumns& columns, const TableSchema::Table& learned, const std::string& where);

// The kind of nodes in a table: "accounts" for "data/accounts.csv.gz".
std::string table_kind(const std::string& path);

// One path per table of a run, in the order of the run's tables, of these kinds: by the names of the files where these
// are the kinds in another order, else as given. An Error where only some are named like a table in another place.
std::vector<std::string> in_order_of(std::span<const std::string> kinds, const std::vector<std::string>& paths);

// The same for the tables of a schema; as given where their number is another.
std::vector<std::string> in_order_of(const TableSchema& schema, const std::vector<std::string>& paths);

// Checks that every column named by the user is in at least one table; if `to_predict`, not the split column, and
// the label column only where labels are needed.
void check_columns_used(std::span<const TableColumns> tables, const TableOptions& options, bool to_predict);

}  // namespace geniepath
