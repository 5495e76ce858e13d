#include "geniepath/tables.h"

#include <algorithm>

#include "data/tables/table_nodes.h"
#include "data/transforms/one_hot.h"
#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath {
namespace {

struct Edges {
  std::vector<NodeId> source, target;
};

struct EdgeColumns {
  size_t source = 0, target = 1;
  bool first_row_is_header = true;
};

size_t column_named(const std::string& name, const char* option, const CsvReader& table) {
  const auto header = table.fields();
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) fail(table.where(), ": no column '", name, "', which the option ", option, " names");
  return static_cast<size_t>(found - header.begin());
}

// The columns named by the options, else a usual pair of names, else the first two.
EdgeColumns find_edge_columns(const CsvReader& table, const TableOptions& options) {
  const auto header = table.fields();
  if (header.size() < 2) fail(table.where(), ": expected two columns or more, found ", header.size());
  EdgeColumns columns;
  const bool numbers = parse_integer(header[0]) && parse_integer(header[1]);
  columns.first_row_is_header = options.edge_header == EdgeHeader::kYes || (options.edge_header == EdgeHeader::kAuto && !numbers);
  if (!columns.first_row_is_header) {
    if (options.edge_source.empty() && options.edge_target.empty()) return columns;
    fail(table.where(), ": edge-source and edge-target name columns, but the table has no header");
  }
  for (const auto& [source, target] : {std::pair("src", "dst"), {"source", "target"}, {"from", "to"}}) {
    const auto s = std::find(header.begin(), header.end(), source);
    const auto t = std::find(header.begin(), header.end(), target);
    if (s == header.end() || t == header.end()) continue;
    columns.source = static_cast<size_t>(s - header.begin());
    columns.target = static_cast<size_t>(t - header.begin());
    break;
  }
  if (!options.edge_source.empty()) columns.source = column_named(options.edge_source, "edge-source", table);
  if (!options.edge_target.empty()) columns.target = column_named(options.edge_target, "edge-target", table);
  if (columns.source == columns.target) fail(table.where(), ": source and target are the same column");
  return columns;
}

constexpr int32_t kSkip = -1;

int32_t end_of_edge(std::string_view id, const CsvReader& row, TableNodes& nodes, UnknownNodes unknown_nodes) {
  if (id.empty()) fail(row.where(), ": an end of the edge is empty, expected an id");
  const int32_t node = nodes.find(id);
  if (node >= 0) return node;
  if (unknown_nodes == UnknownNodes::kSkip) return kSkip;
  if (unknown_nodes == UnknownNodes::kAdd) return nodes.add_unlisted(id, row);
  fail(row.where(), ": the id '", id, "' is in no node table (unknown-nodes = add or skip accepts such edges)");
}

void read_edges(const std::string& path, const TableOptions& options, UnknownNodes unknown_nodes,
                TableNodes& nodes, Edges& edges) {
  CsvReader table(path, options.separator_character());
  if (!table.next()) fail(path, ": no rows");
  const EdgeColumns columns = find_edge_columns(table, options);
  if (columns.first_row_is_header && !table.next()) return;
  do {
    const int32_t source = end_of_edge(table.fields()[columns.source], table, nodes, unknown_nodes);
    const int32_t target = end_of_edge(table.fields()[columns.target], table, nodes, unknown_nodes);
    if (source == kSkip || target == kSkip) continue;
    if (nodes.has_graphs() && nodes.graph_of(source) != nodes.graph_of(target)) {
      fail(table.where(), ": the edge joins graph '", nodes.graph_name(nodes.graph_of(source)), "' and graph '",
           nodes.graph_name(nodes.graph_of(target)), "'");
    }
    edges.source.push_back(source);
    edges.target.push_back(target);
  } while (table.next());
}

// Maps numbers in order of appearance to positions in the desired order.
void renumber(Edges& edges, std::span<const NodeId> order) {
  std::vector<NodeId> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = static_cast<NodeId>(i);
  for (NodeId& node : edges.source) node = place[static_cast<size_t>(node)];
  for (NodeId& node : edges.target) node = place[static_cast<size_t>(node)];
}

}  // namespace

void TableOptions::visit(OptionVisitor& options) {
  options.text("edges", edges, "table of edges, edges.csv or edges.csv.gz; several: separated by commas");
  options.text("nodes", nodes,
               "table of nodes, one row per node; several (accounts.csv,devices.csv): kinds of nodes with features of"
               " their own; none: the nodes are the ids of the edges");
  options.choice("separator", separator,
                 "field separator; auto: the one that occurs most in the first row");
  options.text("edge-source", edge_source, "column of an edge's source; default: src, source or from, else the first");
  options.text("edge-target", edge_target, "column of an edge's target; default: dst, target or to, else the second");
  options.choice("edge-header", edge_header,
                 "whether the first row of the edges names columns; auto: unless it begins with two whole numbers");
  options.flag("directed", directed, "messages flow from source to target only, not both ways");
  options.choice("unknown-nodes", unknown_nodes,
                 "an edge names an id that no node table has: report an error, add a node without features, or skip the edge");
  options.text("id-column", id_column, "node column with the ids, numbers or text");
  options.text("label-column", label_column,
               "node column with the label, or with several separated by ; or |; several columns (a,b,c): one label"
               " each, 0 or 1; an empty cell: unlabelled");
  options.text("split-column", split_column, "node column that says train, valid, test or nothing");
  options.text("graph-column", graph_column, "node column with the node's graph, for many graphs in one table");
  options.text("type-column", type_column, "node column with the kind of node; default: the node table's file name");
  options.text("sparse-column", sparse_column, "node column with features as index:value pairs separated by spaces");
  options.integer("sparse-size", sparse_size, {0, int64_t{1} << 30},
                  "number of features in the sparse column; 0: the highest index plus one");
  options.text("one-hot", one_hot, "categorical node columns, with one feature per value; separated by commas");
  options.text("ignore-columns", ignore_columns, "node columns to leave out; separated by commas");
  options.choice("missing", missing, "an empty feature cell: report an error, or read it as 0");
  options.choice("task", task,
                 "what to learn; auto: multi-label where a node may have several labels, binary with two classes; "
                 "unsupervised, with any data: from random walks alone (--objective walks)");
  options.text("positive", positive, "the positive class of a binary task; default: the second in sorted order");
}

char TableOptions::separator_character() const {
  switch (separator) {
    case Separator::kAuto: break;
    case Separator::kComma: return ',';
    case Separator::kTab: return '\t';
    case Separator::kSemicolon: return ';';
  }
  return CsvReader::kAnySeparator;
}

Dataset load_tables(const TableOptions& options) {
  TableSchema schema;
  return load_tables(options, schema);
}

Dataset load_tables(const TableOptions& options, TableSchema& schema) {
  options.check();
  const std::vector<std::string> edge_paths = split_list(options.edges);
  const std::vector<std::string> node_paths = split_list(options.nodes);
  if (edge_paths.empty()) fail("option edges: no table of edges given");
  TableNodes nodes(options, schema);
  nodes.read(node_paths);
  const UnknownNodes unknown_nodes = node_paths.empty() ? UnknownNodes::kAdd : options.unknown_nodes;
  if (nodes.has_graphs() && unknown_nodes == UnknownNodes::kAdd) {
    fail("option unknown-nodes: add cannot be combined with a graph column, as an added node would have no graph");
  }
  Edges edges;
  for (const std::string& path : edge_paths) read_edges(path, options, unknown_nodes, nodes, edges);
  if (nodes.size() == 0) fail(node_paths.empty() ? edge_paths[0] : node_paths[0], ": no rows, so there are no nodes");
  const std::vector<NodeId> order = nodes.order();
  if (!order.empty()) renumber(edges, order);
  Dataset data;
  data.name = "tables";
  nodes.finish(order, data);
  if (node_paths.empty()) data.features = one_hot_ids(nodes.size());
  data.graph = Graph::from_edges(nodes.size(), edges.source, edges.target, {.symmetrise = !options.directed});
  if (nodes.has_graphs()) data.graph = data.graph.with_parts(nodes.part_begins());
  schema.learned = true;
  return data;
}

}  // namespace geniepath
