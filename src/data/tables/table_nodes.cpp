#include "data/tables/table_nodes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "base/noun.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

enum Split : uint8_t { kNoSplit, kTrain, kValid, kTest };

constexpr int32_t kMostTypes = 255;
constexpr const char* kUnlistedType = "unlisted";

Split split_named(std::string_view text, const CsvReader& row, const std::string& column) {
  if (text.empty()) return kNoSplit;
  if (text == "train") return kTrain;
  if (text == "valid" || text == "val" || text == "validation") return kValid;
  if (text == "test") return kTest;
  fail(row.where(), ": column '", column, "' holds '", text, "', expected train, valid, test or nothing");
}

NodeId node_at(std::span<const NodeId> order, NodeId i) { return order.empty() ? i : order[static_cast<size_t>(i)]; }

bool is_number(std::string_view text, NodeId number) {
  char digits[16];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number);
  return error == std::errc() && text == std::string_view(digits, static_cast<size_t>(end - digits));
}

// Without a type column, the nodes of a table are of the kind that the file's name gives, which must be theirs alone.
void check_kinds_differ(const std::vector<std::string>& paths, std::span<const TableColumns> headers,
                        const std::string& type_column) {
  std::map<std::string, size_t> first;
  for (size_t t = 0; t < paths.size(); ++t) {
    const auto [other, is_new] = first.try_emplace(table_kind(paths[t]), t);
    const auto has_types = [&](size_t table) { return headers[table].type != TableColumns::kNone; };
    if (is_new || (has_types(t) && has_types(other->second))) continue;
    fail(paths[t], ": by the file's name, its nodes are of the kind '", other->first, "', as are those of ",
         paths[other->second], "; expected a name of its own (rename one), or a column '", type_column, "' in both");
  }
}

}  // namespace

TableNodes::TableNodes(const TableOptions& options, TableSchema& schema, bool look_first)
    : options_(options), schema_(schema), features_(options, schema, look_first), labels_(options, schema) {}

bool TableNodes::read(const std::vector<std::string>& paths) {
  several_tables_ = paths.size() > 1;
  if (schema_.learned && paths.size() != schema_.tables.size()) {
    fail("option nodes: ", counted(paths.size(), "node table"), ", but the run was trained on ", schema_.tables.size());
  }
  if (!paths.empty()) check_headers(paths);
  for (const std::string& path : schema_.learned ? in_order_of(schema_, paths) : paths) {
    if (!read_table(path)) return false;
  }
  return true;
}

void TableNodes::check_headers(const std::vector<std::string>& paths) const {
  std::vector<TableColumns> headers;
  for (const std::string& path : paths) {
    CsvReader table(path, options_.separator_character());
    if (!table.next()) fail(path, ": no header row");
    headers.push_back(find_columns(table.fields(), options_, table.where()));
  }
  check_columns_used(headers, options_, schema_.learned);
  check_kinds_differ(paths, headers, options_.type_column);
}

bool TableNodes::read_table(const std::string& path) {
  CsvReader table(path, options_.separator_character());
  table.next();
  TableColumns columns = find_columns(table.fields(), options_, table.where());
  if (schema_.learned) follow(columns, schema_.tables[tables_.size()], table.where());
  if (!tables_.empty() && (columns.graph == TableColumns::kNone) != (tables_[0].graph == TableColumns::kNone)) {
    fail(table.where(), ": either every node table has a column '", options_.graph_column, "' or none");
  }
  if (several_tables_ && columns.id == TableColumns::kNone) {
    fail(path, ": the number of a row can be its id only where there is one node table, found several (--id-column)");
  }
  if (!columns.has_header && options_.node_header == TableHeader::kAuto) {
    schema_.report.notes.push_back(path +
                                   ": no header, as the first row holds numbers: the columns are called column1 to " +
                                   columns.names.back() + " (--node-header yes: it is a header)");
  }
  tables_.push_back(columns);
  first_row_.push_back(ids_.size());
  features_.begin_table(path, columns);
  const auto first_row = static_cast<size_t>(ids_.size());
  if (!read_rows(table, columns, table_kind(path))) return false;
  if (!schema_.learned) {
    for (const std::string& suspect : features_.suspects(labels_.numbers_of_rows(first_row))) {
      schema_.report.notes.push_back(std::filesystem::path(path).filename().string() + ": " + suspect);
    }
  }
  features_.end_table();
  if (!schema_.learned && several_tables_) schema_.tables.back().kind = table_kind(path);
  return true;
}

bool TableNodes::read_rows(CsvReader& table, const TableColumns& columns, const std::string& kind) {
  if (columns.has_header && !table.next()) return true;
  do {
    if (!add_row(table, columns, kind)) return false;
  } while (table.next());
  return true;
}

bool TableNodes::add_row(const CsvReader& row, const TableColumns& columns, const std::string& kind) {
  add_id(row, columns);
  if (!features_.add_row(row)) return false;
  add_split(row, columns, labels_.add_row(row, columns));
  if (columns.graph != TableColumns::kNone) add_graph(row, columns);
  if (several_tables_ || columns.type != TableColumns::kNone) {
    const std::string_view type =
        columns.type == TableColumns::kNone ? std::string_view() : row.fields()[static_cast<size_t>(columns.type)];
    add_type(type.empty() ? kind : type, row);
  }
  return true;
}

void TableNodes::add_id(const CsvReader& row, const TableColumns& columns) {
  const int32_t known = ids_.size();
  NumberText digits;
  if (columns.id == TableColumns::kNone) {
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), known);
    ids_.add({digits.data(), static_cast<size_t>(end - digits.data())});
    return;
  }
  const std::string_view id = whole_number_text(row.fields()[static_cast<size_t>(columns.id)], digits);
  if (id.empty()) fail(row.where(), ": the id (column '", options_.id_column, "') is empty");
  if (ids_.add(id) != known) {
    fail(row.where(), ": the id '", id, "' appears twice; ids must differ over all node tables");
  }
}

void TableNodes::add_graph(const CsvReader& row, const TableColumns& columns) {
  const std::string_view graph = row.fields()[static_cast<size_t>(columns.graph)];
  if (graph.empty()) fail(row.where(), ": column '", options_.graph_column, "' is empty, expected the node's graph");
  graph_of_.push_back(graphs_.add(graph));
}

void TableNodes::add_split(const CsvReader& row, const TableColumns& columns, bool labelled) {
  Split split = kNoSplit;
  if (columns.split != TableColumns::kNone) {
    const std::string_view text = row.fields()[static_cast<size_t>(columns.split)];
    split = split_named(text, row, options_.split_column);
    if (split != kNoSplit && !labelled) {
      fail(row.where(), ": the node is in the ", text, " split but has no label; leave its split empty");
    }
  }
  split_of_.push_back(split);
}

void TableNodes::add_type(std::string_view type, const CsvReader& row) {
  const int32_t number = types_.add(type);
  if (number >= kMostTypes) {
    fail(row.where(), ": more than ", kMostTypes, " types of nodes: is '", options_.type_column, "' the type column?");
  }
  type_of_.push_back(static_cast<uint8_t>(number));
}

int32_t TableNodes::add_unlisted(std::string_view id, const CsvReader& row) {
  const int32_t known = ids_.size();
  const int32_t node = ids_.add(id);
  if (node != known) return node;
  ++num_unlisted_;
  split_of_.push_back(kNoSplit);
  if (!type_of_.empty()) add_type(kUnlistedType, row);
  return node;
}

std::vector<NodeId> TableNodes::order() const {
  std::vector<NodeId> nodes(graph_of_.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return graph_of(a) < graph_of(b); });
  return nodes;
}

std::vector<NodeId> TableNodes::part_begins() const {
  if (graph_of_.empty()) return {};
  std::vector<NodeId> begins(static_cast<size_t>(graphs_.size()) + 1);
  for (const int32_t graph : graph_of_) ++begins[static_cast<size_t>(graph) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return begins;
}

void TableNodes::finish(std::span<const NodeId> order, Dataset& data) {
  features_.add_empty_rows(num_unlisted_);
  labels_.add_unlabelled_rows(num_unlisted_);
  data.features = features_.finish(order);
  labels_.finish(order, data);
  finish_names(order, data);
  finish_splits(order, data);
  if (options_.missing == Missing::kMean && !schema_.learned) schema_.report.table_of_node = table_of_node(order);
  data.inductive = graphs_.size() > 1 && splits_keep_to_graphs();
}

void TableNodes::finish_names(std::span<const NodeId> order, Dataset& data) const {
  bool plain = true;  // ids that merely count rows need no names
  for (NodeId i = 0; i < size() && plain; ++i) plain = is_number(ids_[node_at(order, i)], i);
  for (NodeId i = 0; i < size() && !plain; ++i) data.node_names.emplace_back(ids_[node_at(order, i)]);
  data.type_names = types_.texts();
  for (size_t i = 0; i < type_of_.size(); ++i) {
    data.node_type.push_back(type_of_[static_cast<size_t>(node_at(order, static_cast<NodeId>(i)))]);
  }
}

void TableNodes::finish_splits(std::span<const NodeId> order, Dataset& data) const {
  for (NodeId i = 0; i < size(); ++i) {
    switch (split_of_[static_cast<size_t>(node_at(order, i))]) {
      case kTrain: data.train.push_back(i); break;
      case kValid: data.valid.push_back(i); break;
      case kTest: data.test.push_back(i); break;
      default: break;
    }
  }
}

std::vector<int32_t> TableNodes::table_of_node(std::span<const NodeId> order) const {
  std::vector<int32_t> tables;
  for (NodeId i = 0; i < size(); ++i) {
    const NodeId row = node_at(order, i);
    const auto after = std::upper_bound(first_row_.begin(), first_row_.end(), row);
    tables.push_back(row < num_listed() ? static_cast<int32_t>(after - first_row_.begin()) - 1 : -1);
  }
  return tables;
}

// Whether there is a split and every graph lies within one part of it.
bool TableNodes::splits_keep_to_graphs() const {
  std::vector<uint8_t> split_of_graph(static_cast<size_t>(graphs_.size()), kNoSplit);
  bool any = false;
  for (size_t i = 0; i < split_of_.size(); ++i) {
    if (split_of_[i] == kNoSplit) continue;
    any = true;
    uint8_t& split = split_of_graph[static_cast<size_t>(graph_of_[i])];
    if (split != kNoSplit && split != split_of_[i]) return false;
    split = split_of_[i];
  }
  return any;
}

}  // namespace geniepath
