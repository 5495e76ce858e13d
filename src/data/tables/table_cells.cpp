#include "data/tables/table_cells.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>

#include "data/tables/table_columns.h"
#include "io/csv.h"
#include "io/iso_date.h"

namespace geniepath {
namespace {

constexpr int64_t kMostColumns = 100000;

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The columns of one table, laid out as in TableFeatures.
void add_table(const TableSchema::Table& table, const std::string& sparse_column, std::optional<uint8_t> type,
               std::vector<FeatureColumn>& columns, int64_t& next) {
  const size_t first = columns.size();
  for (const std::string& name : table.numbers) {
    columns.push_back({name, lists(table.dates, name) ? ColumnKind::kDate : ColumnKind::kNumber, next++, {}, -1, type});
  }
  for (const auto& [name, values] : table.one_hot) {
    columns.push_back({name, ColumnKind::kCategory, next, values, -1, type});
    next += columns.back().size();
  }
  for (size_t n = 0; n < table.numbers.size(); ++n) {
    if (lists(table.marked, table.numbers[n])) columns[first + n].mark = next++;
  }
  for (int64_t f = 0; f < table.sparse_size; ++f) {
    columns.push_back({sparse_column + " " + std::to_string(f), ColumnKind::kNumber, next++, {}, -1, type, false});
  }
}

// The type of nodes that a table lists; none if types are not those of the tables.
std::optional<uint8_t> type_of(const std::string& path, const Dataset& data) {
  const auto found = std::ranges::find(data.type_names, table_kind(path));
  if (found == data.type_names.end()) return std::nullopt;
  return static_cast<uint8_t>(found - data.type_names.begin());
}

int64_t width_of(const TableSchema::Table& table) {
  int64_t width =
      static_cast<int64_t>(table.numbers.size() + table.marked.size()) + std::max<int64_t>(table.sparse_size, 0);
  for (const auto& column : table.one_hot) width += static_cast<int64_t>(column.values.size());
  return width;
}

// A graph file has no paths of tables, but may have the columns of one.
bool describes(const TableSchema& schema, size_t paths, int64_t features) {
  int64_t width = 0;
  for (const TableSchema::Table& table : schema.tables) width += width_of(table);
  return !schema.tables.empty() && schema.tables.size() == std::max<size_t>(paths, 1) && width == features;
}

}  // namespace

std::vector<FeatureColumn> feature_columns(const TableOptions& options, const TableSchema& schema, const Dataset& data,
                                           int64_t features) {
  std::vector<FeatureColumn> columns;
  if (features > kMostColumns) return columns;
  const std::vector<std::string> paths = in_order_of(schema, split_list(options.nodes));
  int64_t next = 0;
  if (describes(schema, paths.size(), features)) {
    for (size_t t = 0; t < schema.tables.size(); ++t) {
      add_table(schema.tables[t], options.sparse_column, paths.size() > 1 ? type_of(paths[t], data) : std::nullopt,
                columns, next);
    }
  }
  for (; next < features; ++next)
    columns.push_back({"feature " + std::to_string(next), ColumnKind::kNumber, next, {}, -1, {}, false});
  return columns;
}

TableCells::TableCells(const Dataset& data, Features raw, const TableOptions& options, const TableSchema& schema)
    : data_(data),
      raw_(raw.num_features() == data.features.num_features() ? std::move(raw) : data.features),
      columns_(feature_columns(options, schema, data, raw_.num_features())) {}

bool TableCells::has(NodeId node, const FeatureColumn& column) const {
  return !column.type || data_.node_type[static_cast<size_t>(node)] == *column.type;
}

float TableCells::value(NodeId node, int64_t feature) const {
  if (!raw_.is_sparse()) return raw_.dense().data_ptr<float>()[node * raw_.num_features() + feature];
  const SparseMatrix& x = raw_.sparse();
  const auto row = x.column.span(x.offset[node], x.offset[node + 1]);
  const auto found = std::ranges::find(row, static_cast<int32_t>(feature));
  return found == row.end() ? 0 : x.value[x.offset[node] + (found - row.begin())];
}

std::optional<float> TableCells::number(NodeId node, const FeatureColumn& column) const {
  if (column.kind == ColumnKind::kCategory || !has(node, column)) return std::nullopt;
  if (column.mark >= 0 && value(node, column.mark) != 0) return std::nullopt;
  return value(node, column.first);
}

std::string TableCells::text(NodeId node, const FeatureColumn& column) const {
  if (column.kind != ColumnKind::kCategory) {
    const auto found = number(node, column);
    return found ? cell_text(column, *found) : "";
  }
  for (int64_t c = 0; c < column.size(); ++c) {
    if (value(node, column.first + c) != 0) return column.categories[static_cast<size_t>(c)];
  }
  return "";
}

std::string cell_text(const FeatureColumn& column, float number) {
  if (column.kind == ColumnKind::kDate) return iso_date(number);
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace geniepath
