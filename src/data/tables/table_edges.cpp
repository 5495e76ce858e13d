#include "data/tables/table_edges.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/suggestion.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr int32_t kSkip = -1;
constexpr std::pair<const char*, const char*> kUsualNames[] = {{"src", "dst"}, {"source", "target"}, {"from", "to"}};

size_t column_named(const std::string& name, const char* option, const CsvReader& table) {
  const auto header = table.fields();
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<size_t>(found - header.begin());
  fail(table.where(), ": no column '", name, "', which the option ", option, " names",
       did_you_mean(name, {header.begin(), header.end()}));
}

std::optional<std::pair<size_t, size_t>> usual_columns(std::span<const std::string_view> header) {
  for (const auto& [source, target] : kUsualNames) {
    const auto s = std::find(header.begin(), header.end(), source);
    const auto t = std::find(header.begin(), header.end(), target);
    if (s != header.end() && t != header.end()) return std::pair<size_t, size_t>(s - header.begin(), t - header.begin());
  }
  return std::nullopt;
}

// Whether one of two ids occurs again below the first row.
bool recurs(const std::string& path, char separator, size_t source, size_t target) {
  CsvReader table(path, separator);
  table.next();
  const std::string first(table.fields()[source]), second(table.fields()[target]);
  while (table.next()) {
    for (const size_t column : {source, target}) {
      const std::string_view id = table.fields()[column];
      if (id == first || id == second) return true;
    }
  }
  return false;
}

}  // namespace

TableEdges::TableEdges(const TableOptions& options, TableNodes& nodes, TableReport& report)
    : options_(options),
      unknown_nodes_(split_list(options.nodes).empty() ? UnknownNodes::kAdd : options.unknown_nodes),
      nodes_(nodes),
      report_(report) {
  if (nodes.has_graphs() && unknown_nodes_ == UnknownNodes::kAdd) {
    fail("option unknown-nodes: add cannot be combined with a graph column, as an added node would have no graph");
  }
}

// The columns named by the options, else a usual pair of names, else the first two.
TableEdges::Columns TableEdges::find_columns(const CsvReader& table) {
  const auto header = table.fields();
  if (header.size() < 2) fail(table.where(), ": expected two columns or more, found ", header.size());
  Columns columns;
  const auto pair = usual_columns(header);
  const bool usual = pair.has_value();
  if (usual) std::tie(columns.source, columns.target) = *pair;
  const bool named = !options_.edge_source.empty() || !options_.edge_target.empty();
  const bool has_header = options_.edge_header == TableHeader::kAuto ? usual || is_header(table, columns)
                                                                     : options_.edge_header == TableHeader::kYes;
  if (!has_header) {
    if (named) fail(table.where(), ": edge-source and edge-target name columns, but the table has no header");
    if (options_.edge_header == TableHeader::kAuto) {
      report_.notes.push_back(table.name() + ": no header, as the first row holds ids (--edge-header yes: it is a header)");
    }
    return {0, 1, false};
  }
  if (!options_.edge_source.empty()) columns.source = column_named(options_.edge_source, "edge-source", table);
  if (!options_.edge_target.empty()) columns.target = column_named(options_.edge_target, "edge-target", table);
  if (columns.source == columns.target) fail(table.where(), ": source and target are the same column");
  if (!usual && !named) {
    report_.notes.push_back(table.name() + ": the first row is a header (--edge-header no: it is an edge); edges run from '" +
                            std::string(header[columns.source]) + "' to '" + std::string(header[columns.target]) + "'");
  }
  return columns;
}

// Ids that exist are no names of columns, and neither are numbers. Without a node table, an id exists if it occurs again.
bool TableEdges::is_header(const CsvReader& table, const Columns& columns) const {
  for (const size_t column : {columns.source, columns.target}) {
    const std::string_view cell = table.fields()[column];
    if (parse_number(cell) || nodes_.find(cell) >= 0) return false;
  }
  const bool named = !options_.edge_source.empty() || !options_.edge_target.empty();
  if (named || nodes_.num_listed() > 0) return true;
  return !recurs(table.name(), options_.separator_character(), columns.source, columns.target);
}

int32_t TableEdges::end_of(std::string_view text, const CsvReader& row) {
  NumberText digits;
  const std::string_view id = whole_number_text(text, digits);
  if (id.empty()) fail(row.where(), ": an end of the edge is empty, expected an id");
  const int32_t node = nodes_.find(id);
  if (node >= 0) {
    if (node < nodes_.num_listed()) ++known_ends_;
    return node;
  }
  if (first_unknown_.empty()) first_unknown_ = row.where() + ": the id '" + std::string(id) + "'";
  if (unknown_nodes_ == UnknownNodes::kSkip) return kSkip;
  if (unknown_nodes_ == UnknownNodes::kAdd) return nodes_.add_unlisted(id, row);
  fail(row.where(), ": the id '", id, "' is in no node table, where ids are such as '", nodes_.size() > 0 ? nodes_.id(0) : "",
       "' (unknown-nodes = add or skip accepts such edges)");
}

void TableEdges::read(const std::string& path) {
  CsvReader table(path, options_.separator_character());
  if (!table.next()) fail(path, ": no rows");
  const Columns columns = find_columns(table);
  if (columns.first_row_is_header && !table.next()) return;
  do {
    ++report_.edges;
    const int32_t source = end_of(table.fields()[columns.source], table);
    const int32_t target = end_of(table.fields()[columns.target], table);
    if (source == kSkip || target == kSkip) {
      ++report_.skipped;
      continue;
    }
    if (nodes_.has_graphs() && nodes_.graph_of(source) != nodes_.graph_of(target)) {
      fail(table.where(), ": the edge joins graph '", nodes_.graph_name(nodes_.graph_of(source)), "' and graph '",
           nodes_.graph_name(nodes_.graph_of(target)), "'");
    }
    source_.push_back(source);
    target_.push_back(target);
  } while (table.next());
}

void TableEdges::check_matched() const {
  if (report_.edges == 0 || nodes_.num_listed() == 0 || (known_ends_ > 0 && report_.skipped < report_.edges)) return;
  fail(first_unknown_, " is in no node table, and none of the ", report_.edges,
       " edges joins two of its nodes, where ids are such as '", nodes_.id(0),
       "' (--id-column names the column of ids, --id-column row numbers the rows)");
}

void TableEdges::renumber(std::span<const NodeId> order) {
  std::vector<NodeId> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = static_cast<NodeId>(i);
  for (NodeId& node : source_) node = place[static_cast<size_t>(node)];
  for (NodeId& node : target_) node = place[static_cast<size_t>(node)];
}

Graph TableEdges::graph() const {
  const Graph made = Graph::from_edges(nodes_.size(), source_, target_, {.symmetrise = !options_.directed});
  std::vector<bool> joined(static_cast<size_t>(nodes_.size()));
  for (size_t e = 0; e < source_.size(); ++e) {
    if (source_[e] == target_[e]) {
      ++report_.self_loops;
    } else {
      joined[static_cast<size_t>(source_[e])] = joined[static_cast<size_t>(target_[e])] = true;
    }
  }
  const int64_t distinct = options_.directed ? made.num_edges() : (made.num_edges() + made.num_self_loops()) / 2;
  report_.merged = static_cast<int64_t>(source_.size()) - distinct;
  report_.without_edges = std::count(joined.begin(), joined.end(), false);
  return made;
}

}  // namespace geniepath
