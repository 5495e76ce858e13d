#include "data/tables/table_columns.h"

#include <algorithm>

#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

int position(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? TableColumns::kNone : static_cast<int>(found - names.begin());
}

void check_names(const std::vector<std::string>& names, const std::string& where) {
  for (size_t c = 0; c < names.size(); ++c) {
    if (names[c].empty()) {
      fail(where, ": column ", c + 1, " has no name; if it only counts rows, write the table without it",
           " (pandas: index=False)");
    }
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) fail(where, ": two columns are called '", *twice, "'");
}

void find_labels(TableColumns& columns, const std::vector<std::string>& wanted, const std::string& where) {
  std::string absent;
  for (const std::string& name : wanted) {
    const int at = position(columns.names, name);
    if (at == TableColumns::kNone) {
      absent = name;
    } else {
      columns.labels.push_back(at);
    }
  }
  if (!columns.labels.empty() && !absent.empty()) {
    fail(where, ": has some of the label columns but no '", absent, "'; its columns are: ", listed(columns.names));
  }
}

// The columns found, in the order of `wanted`, the columns the run was trained on.
std::vector<int> in_order(const TableColumns& columns, const std::vector<int>& found,
                          const std::vector<std::string>& wanted, const char* what, const std::string& where) {
  std::vector<int> ordered;
  for (const std::string& name : wanted) {
    const int at = position(columns.names, name);
    if (std::find(found.begin(), found.end(), at) == found.end()) {
      fail(where, ": no column '", name, "' with ", what, ", which the run was trained on; the columns are: ",
           listed(columns.names));
    }
    ordered.push_back(at);
  }
  for (const int at : found) {
    const std::string& name = columns.names[static_cast<size_t>(at)];
    if (contains(wanted, name)) continue;
    fail(where, ": the run was trained without a column '", name, "'; ignore-columns leaves it out");
  }
  return ordered;
}

}  // namespace

TableColumns find_columns(std::span<const std::string_view> header, const TableOptions& options,
                          const std::string& where) {
  TableColumns columns;
  columns.names.assign(header.begin(), header.end());
  check_names(columns.names, where);
  columns.id = position(columns.names, options.id_column);
  if (columns.id == TableColumns::kNone) {
    fail(where, ": no column '", options.id_column, "' for the ids; the columns are: ", listed(columns.names),
         " (name the right one with the option id-column)");
  }
  const std::vector<std::string> ignored = split_list(options.ignore_columns);
  const std::vector<std::string> one_hot = split_list(options.one_hot);
  std::vector<bool> taken(header.size());
  taken[static_cast<size_t>(columns.id)] = true;
  for (size_t c = 0; c < header.size(); ++c) {
    if (contains(ignored, columns.names[c])) taken[c] = true;
  }
  const auto take = [&](const std::string& name) {
    const int at = position(columns.names, name);
    if (at == TableColumns::kNone || taken[static_cast<size_t>(at)]) return TableColumns::kNone;
    taken[static_cast<size_t>(at)] = true;
    return at;
  };
  columns.split = take(options.split_column);
  columns.graph = take(options.graph_column);
  columns.type = take(options.type_column);
  columns.sparse = take(options.sparse_column);
  find_labels(columns, split_list(options.label_column), where);
  for (const int label : columns.labels) taken[static_cast<size_t>(label)] = true;
  for (size_t c = 0; c < header.size(); ++c) {
    if (contains(one_hot, columns.names[c])) {
      columns.one_hot.push_back(static_cast<int>(c));
    } else if (!taken[c]) {
      columns.numbers.push_back(static_cast<int>(c));
    }
  }
  return columns;
}

void follow(TableColumns& columns, const TableSchema::Table& learned, const std::string& where) {
  std::vector<std::string> one_hot;
  for (const TableSchema::Categories& column : learned.one_hot) one_hot.push_back(column.column);
  columns.one_hot = in_order(columns, columns.one_hot, one_hot, "categories", where);
  columns.numbers = in_order(columns, columns.numbers, learned.numbers, "numbers", where);
  const bool has_sparse = columns.sparse != TableColumns::kNone;
  if (has_sparse == (learned.sparse_size >= 0)) return;
  fail(where, has_sparse ? ": a sparse column, but the run was trained without one"
                         : ": no sparse column, but the run was trained with one");
}

void check_columns_used(std::span<const TableColumns> tables, const TableOptions& options, bool to_predict) {
  const TableOptions defaults;
  const auto check = [&](const char* option, const std::string& wanted, const std::string& unless) {
    if (wanted == unless) return;
    for (const std::string& name : split_list(wanted)) {
      const bool there = std::any_of(tables.begin(), tables.end(),
                                     [&](const TableColumns& table) { return contains(table.names, name); });
      if (!there) fail("option ", option, ": no node table has a column '", name, "'");
    }
  };
  if (!to_predict) {
    check("label-column", options.label_column, defaults.label_column);
    check("split-column", options.split_column, defaults.split_column);
  }
  check("graph-column", options.graph_column, defaults.graph_column);
  check("type-column", options.type_column, defaults.type_column);
  check("sparse-column", options.sparse_column, defaults.sparse_column);
  check("one-hot", options.one_hot, "");
  check("ignore-columns", options.ignore_columns, "");
}

}  // namespace geniepath
