#include "data/tables/table_edges.h"

#include <algorithm>

#include "data/tables/edge_columns.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr int32_t kSkip = -1;

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
  fail(row.where(), ": the id '", id, "' is in no node table, where ids are such as '",
       nodes_.size() > 0 ? nodes_.id(0) : "", "' (unknown-nodes = add or skip accepts such edges)");
}

void TableEdges::read(const std::string& path) {
  CsvReader table(path, options_.separator_character());
  if (!table.next()) fail(path, ": no rows");
  const EdgeColumns columns = find_edge_columns(
      table, options_, {[this](std::string_view id) { return nodes_.find(id) >= 0; }, nodes_.num_listed() > 0},
      report_.notes);
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
  if (report_.edges == 0) report_.notes.push_back("the tables of edges have no rows: every node is alone");
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
