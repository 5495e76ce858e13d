// The columns of an edge table, from its first row.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "geniepath/tables.h"
#include "io/csv.h"

namespace geniepath {

struct EdgeColumns {
  size_t source = 0, target = 1;
  bool first_row_is_header = true;
};

struct KnownIds {
  std::function<bool(std::string_view id)> contains;
  bool from_tables;  // whether every id is known beforehand
};

// The columns named by the options, else a usual pair of names, else the first two. `table` is at its first row. Adds
// what was assumed to `notes`.
EdgeColumns find_edge_columns(const CsvReader& table, const TableOptions& options, const KnownIds& known,
                              std::vector<std::string>& notes);

}  // namespace geniepath
