#include "serve/feature_columns.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/tables/new_rows.h"
#include "geniepath/error.h"
#include "io/csv.h"
#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

using report::Json;

// The cells of one node of a request.
class RequestRow : public TableRow {
 public:
  RequestRow(const NewNode& node, size_t place) : place_(place), fields_(node.cells.begin(), node.cells.end()) {}
  std::span<const std::string_view> fields() const override { return fields_; }
  std::string where() const override { return "nodes[" + std::to_string(place_) + "].features"; }

 private:
  size_t place_;
  std::vector<std::string_view> fields_;
};

// Positions of the nodes with named features, by table.
std::vector<NodeId> named_by_table(const std::vector<NewNode>& nodes) {
  std::vector<NodeId> named;
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].cells.empty()) named.push_back(static_cast<NodeId>(n));
  }
  std::ranges::stable_sort(named, {}, [&](NodeId n) { return nodes[static_cast<size_t>(n)].table; });
  return named;
}

void take_row(const Features& features, int64_t row, NewNode& node) {
  if (features.is_sparse()) {
    const SparseMatrix& x = features.sparse();
    const auto column = x.column.span(x.offset[row], x.offset[row + 1]);
    const auto value = x.value.span(x.offset[row], x.offset[row + 1]);
    node.column.assign(column.begin(), column.end()), node.value.assign(value.begin(), value.end());
    return;
  }
  const int64_t width = features.num_features();
  const float* values = features.dense().data_ptr<float>() + row * width;
  for (int64_t c = 0; c < width; ++c) {
    if (values[c] != 0) node.column.push_back(static_cast<int32_t>(c)), node.value.push_back(values[c]);
  }
}

Json column_json(const std::string& name, const char* kind, const std::vector<std::string>& categories,
                 const std::string& type) {
  return {{"name", name}, {"kind", kind}, {"categories", categories}, {"type", type.empty() ? Json() : Json(type)}};
}

}  // namespace

FeatureColumns::FeatureColumns(const RunDescription& run) : options_(run.tables), schema_(run.schema) {
  columns_.features = run.features;
  if (run.data.data != "tables") return;
  const std::vector<std::string> paths = split_list(run.tables.nodes);
  for (size_t t = 0; t < std::min(paths.size(), schema_.tables.size()); ++t) {
    columns_.tables.push_back({table_kind(paths[t]), columns_of(schema_.tables[t], options_).names});
  }
}

Json FeatureColumns::json() const {
  Json list = Json::array();
  for (size_t t = 0; t < columns_.tables.size(); ++t) {
    const TableSchema::Table& table = schema_.tables[t];
    const std::string type = columns_.tables.size() > 1 ? columns_.tables[t].kind : "";
    for (const std::string& name : table.numbers) {
      const bool is_date = std::ranges::find(table.dates, name) != table.dates.end();
      list.push_back(column_json(name, is_date ? "date" : "number", {}, type));
    }
    for (const auto& [name, values] : table.one_hot) list.push_back(column_json(name, "category", values, type));
    if (table.sparse_size >= 0) list.push_back(column_json(options_.sparse_column, "pairs", {}, type));
  }
  return list;
}

std::vector<std::string> FeatureColumns::read(std::vector<NewNode>& nodes) const {
  const std::vector<NodeId> named = named_by_table(nodes);
  if (named.empty()) return {};
  TableSchema schema = schema_;
  try {
    NewFeatures features(options_, schema);
    for (const NodeId n : named) {
      const NewNode& node = nodes[static_cast<size_t>(n)];
      features.add(node.table, columns_of(schema_.tables[node.table], options_),
                   RequestRow(node, static_cast<size_t>(n)));
    }
    const Features rows = features.finish();
    for (size_t row = 0; row < named.size(); ++row) {
      take_row(rows, static_cast<int64_t>(row), nodes[static_cast<size_t>(named[row])]);
    }
  } catch (const Error& error) {
    throw ApiError(422, "bad_body", error.what(), "cells as in the tables that the run was trained on", "");
  }
  return unseen_notes(schema);
}

}  // namespace geniepath::serve
