// Which column of a node table means what, out of its header.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geniepath/tables.h"

namespace geniepath {

struct TableColumns {
  static constexpr int kNone = -1;

  std::vector<std::string> names;
  int id = kNone, split = kNone, graph = kNone, type = kNone, sparse = kNone;
  std::vector<int> labels;   // as many as the label-column option names, or none
  std::vector<int> numbers;  // every column without another meaning
  std::vector<int> one_hot;
};

// `where` is the header's file:line. Two columns of one name, one without a name and a missing id are Errors.
TableColumns find_columns(std::span<const std::string_view> header, const TableOptions& options,
                          const std::string& where);

// Puts the feature columns into the order they had; one that is missing or was not there is an Error.
void follow(TableColumns& columns, const TableSchema::Table& learned, const std::string& where);

// Columns that options ask for by a name of the user's own must be in at least one of the tables. Labels and splits need
// not be `to_predict`.
void check_columns_used(std::span<const TableColumns> tables, const TableOptions& options, bool to_predict);

}  // namespace geniepath
