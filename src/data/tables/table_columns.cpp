#include "data/tables/table_columns.h"

#include <algorithm>
#include <filesystem>

#include "base/suggestion.h"
#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath {
namespace {

constexpr const char* kRowNumber = "row";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

int position(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? TableColumns::kNone : static_cast<int>(found - names.begin());
}

// Whether the first row names columns: it has one of the names that the options mention, or no numbers. Column names
// may also count, as pandas writes them where there are no others.
bool is_header(std::span<const std::string_view> row, const TableOptions& options) {
  if (options.node_header != TableHeader::kAuto) return options.node_header == TableHeader::kYes;
  std::vector<std::string> mentioned{options.id_column, options.split_column, options.graph_column, options.type_column,
                                     options.sparse_column};
  for (const std::string& list : {options.label_column, options.one_hot, options.ignore_columns}) {
    for (const std::string& name : split_list(list)) mentioned.push_back(name);
  }
  bool has_number = false, counts = true;
  for (size_t c = 0; c < row.size(); ++c) {
    if (contains(mentioned, std::string(row[c]))) return true;
    has_number = has_number || parse_number(row[c]);
    counts = counts && row[c] == std::to_string(c);
  }
  return !has_number || (counts && row.size() > 1);
}

std::vector<std::string> column_names(std::span<const std::string_view> row, bool has_header,
                                      const std::string& where) {
  std::vector<std::string> names;
  for (size_t c = 0; c < row.size(); ++c) {
    const bool named = has_header && !row[c].empty();
    names.push_back(named ? std::string(row[c]) : "column" + std::to_string(c + 1));
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) fail(where, ": two columns are called '", *twice, "'");
  return names;
}

// Position of the id column, or kNone for the row's number.
int find_id(const TableColumns& columns, const TableOptions& options, const std::string& where) {
  const int found = position(columns.names, options.id_column);
  if (found != TableColumns::kNone || options.id_column == kRowNumber) return found;
  fail(where, ": no column '", options.id_column, "' for the ids; the columns are: ", listed(columns.names),
       " (--id-column names the right one; --id-column row: the row's number, from 0)",
       did_you_mean(options.id_column, columns.names));
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

// Positions of the columns that the run was trained on, all of them among `found`.
std::vector<int> in_order(const TableColumns& columns, const std::vector<int>& found,
                          const std::vector<std::string>& wanted, const char* what, const std::string& where) {
  std::vector<int> ordered;
  for (const std::string& name : wanted) {
    const int at = position(columns.names, name);
    if (std::find(found.begin(), found.end(), at) == found.end()) {
      fail(where, ": no column '", name, "' with ", what, ", which the run was trained on; the columns are: ",
           listed(columns.names), did_you_mean(name, columns.names));
    }
    ordered.push_back(at);
  }
  return ordered;
}

void check_none_new(const TableColumns& columns, const std::vector<int>& found, const std::vector<std::string>& known,
                    const std::string& where) {
  for (const int at : found) {
    const std::string& name = columns.names[static_cast<size_t>(at)];
    if (!contains(known, name)) {
      fail(where, ": the run was trained without a column '", name, "'; ignore-columns leaves it out");
    }
  }
}

}  // namespace

TableColumns find_columns(std::span<const std::string_view> first_row, const TableOptions& options,
                          const std::string& where) {
  TableColumns columns;
  columns.has_header = is_header(first_row, options);
  columns.names = column_names(first_row, columns.has_header, where);
  columns.id = find_id(columns, options, where);
  const std::vector<std::string> ignored = split_list(options.ignore_columns);
  const std::vector<std::string> one_hot = split_list(options.one_hot);
  std::vector<bool> taken(first_row.size());
  if (columns.id != TableColumns::kNone) taken[static_cast<size_t>(columns.id)] = true;
  for (size_t c = 0; c < first_row.size(); ++c) {
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
  for (size_t c = 0; c < first_row.size(); ++c) {
    if (contains(one_hot, columns.names[c])) {
      columns.one_hot.push_back(static_cast<int>(c));
    } else if (!taken[c]) {
      columns.numbers.push_back(static_cast<int>(c));
    }
  }
  return columns;
}

void follow(TableColumns& columns, const TableSchema::Table& learned, const std::string& where) {
  std::vector<int> found = columns.numbers;
  found.insert(found.end(), columns.one_hot.begin(), columns.one_hot.end());
  std::vector<std::string> one_hot;
  for (const TableSchema::Categories& column : learned.one_hot) one_hot.push_back(column.column);
  columns.one_hot = in_order(columns, found, one_hot, "categories", where);
  columns.numbers =
      in_order(columns, found, learned.numbers, learned.dates.empty() ? "numbers" : "numbers or dates", where);
  std::vector<std::string> known = learned.left_out;
  known.insert(known.end(), one_hot.begin(), one_hot.end());
  known.insert(known.end(), learned.numbers.begin(), learned.numbers.end());
  check_none_new(columns, found, known, where);
  const bool has_sparse = columns.sparse != TableColumns::kNone;
  if (has_sparse == (learned.sparse_size >= 0)) return;
  fail(where, has_sparse ? ": a sparse column, but the run was trained without one"
                         : ": no sparse column, but the run was trained with one");
}

std::string table_kind(const std::string& path) {
  const std::string file = std::filesystem::path(path).filename().string();
  return file.substr(0, file.find('.', 1));
}

std::vector<std::string> in_order_of(std::span<const std::string> kinds, const std::vector<std::string>& paths) {
  size_t odd = 0;  // the first that is named like a table in another place
  const auto fits = [&](size_t place) {
    const std::string kind = table_kind(paths[place]);
    return kind == kinds[place] || std::ranges::find(kinds, kind) == kinds.end();
  };
  while (odd < paths.size() && fits(odd)) ++odd;
  if (odd == paths.size()) return paths;
  std::vector<std::string> rest = paths, ordered;
  for (const std::string& kind : kinds) {
    const auto found = std::ranges::find(rest, kind, table_kind);
    if (found == rest.end()) {
      fail(paths[odd], ": named like the run's node table '", table_kind(paths[odd]), "', but given in place of '",
           kinds[odd], "', and no other is named '", kind, "'; expected the order of the run's tables (",
           listed({kinds.begin(), kinds.end()}), "), or their names");
    }
    ordered.push_back(*found);
    rest.erase(found);
  }
  return ordered;
}

std::vector<std::string> in_order_of(const TableSchema& schema, const std::vector<std::string>& paths) {
  if (paths.size() != schema.tables.size()) return paths;
  std::vector<std::string> kinds;
  for (const TableSchema::Table& table : schema.tables) kinds.push_back(table.kind);
  return in_order_of(kinds, paths);
}

void check_columns_used(std::span<const TableColumns> tables, const TableOptions& options, bool to_predict) {
  const TableOptions defaults;
  std::vector<std::string> all;
  for (const TableColumns& table : tables) all.insert(all.end(), table.names.begin(), table.names.end());
  const auto check = [&](const char* option, const std::string& wanted, const std::string& unless) {
    if (wanted == unless) return;
    for (const std::string& name : split_list(wanted)) {
      if (contains(all, name)) continue;
      fail("option ", option, ": no node table has a column '", name, "'; the columns are: ", listed(all),
           did_you_mean(name, all));
    }
  };
  if (!to_predict || options.needs_labels) {
    check("label-column", options.label_column, options.needs_labels ? "" : defaults.label_column);
  }
  if (!to_predict) check("split-column", options.split_column, defaults.split_column);
  check("graph-column", options.graph_column, defaults.graph_column);
  check("type-column", options.type_column, defaults.type_column);
  check("sparse-column", options.sparse_column, defaults.sparse_column);
  check("one-hot", options.one_hot, "");
  check("ignore-columns", options.ignore_columns, "");
}

}  // namespace geniepath
