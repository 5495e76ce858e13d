#include "geniepath/tables.h"

#include "base/noun.h"
#include "data/tables/new_rows.h"
#include "data/tables/table_edges.h"
#include "data/tables/table_means.h"
#include "data/transforms/one_hot.h"
#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath {

void TableOptions::visit(OptionVisitor& options) {
  options.text("edges", edges, "table of edges, edges.csv or edges.csv.gz; several: separated by commas");
  options.text("nodes", nodes,
               "table of nodes, one row per node; several (accounts.csv,devices.csv): kinds of nodes with features of"
               " their own; none: the nodes are the ids of the edges");
  options.choice("separator", separator,
                 "field separator; auto: the one that occurs most in the first row, else runs of blanks and tabs");
  options.text("edge-source", edge_source, "column of an edge's source; default: src, source or from, else the first");
  options.text("edge-target", edge_target, "column of an edge's target; default: dst, target or to, else the second");
  options.choice("edge-header", edge_header,
                 "whether the first row of the edges names columns; auto: unless it holds ids of nodes, or numbers");
  options.flag("directed", directed, "messages flow from source to target only, not both ways");
  options.choice(
      "unknown-nodes", unknown_nodes,
      "an edge names an id that no node table has: report an error, add a node without features, or skip the edge");
  options.choice(
      "node-header", node_header,
      "whether the first row of the nodes names columns; auto: unless it holds numbers and none of the names in "
      "these options; without names, columns are called column1, column2, ...");
  options.text("id-column", id_column, "node column with the ids, numbers or text; row: the row's number, from 0");
  options.text("label-column", label_column,
               "node column with the label, or with several separated by ; or |; several columns (a,b,c): one label"
               " each, 0 or 1; an empty cell: unlabelled");
  options.text("split-column", split_column, "node column that says train, valid, test or nothing");
  options.text("graph-column", graph_column, "node column with the node's graph, for many graphs in one table");
  options.text("type-column", type_column, "node column with the kind of node; default: the node table's file name");
  options.text("sparse-column", sparse_column, "node column with features as index:value pairs separated by spaces");
  options.integer("sparse-size", sparse_size, {0, int64_t{1} << 30},
                  "number of features in the sparse column; 0: the highest index plus one");
  options.text(
      "one-hot", one_hot,
      "categorical node columns, with one feature per value; separated by commas; columns of text are found by "
      "themselves");
  options.integer("most-categories", most_categories, {0, 1000000},
                  "a column of text with more different values is left out, unless one-hot lists it");
  options.text("ignore-columns", ignore_columns, "node columns to leave out; separated by commas");
  options.choice("missing", missing,
                 "an empty cell of numbers or dates: report an error, read it as 0, or as the column's mean over the "
                 "training nodes, marked by one more feature");
  options.choice("task", task,
                 "what to learn; auto: multi-label where a node may have several labels, binary with two classes; "
                 "unsupervised, with any data: from random walks alone (--objective walks)");
  options.text("positive", positive, "the positive class of a binary task; default: the second in sorted order");
  options.flag("baselines", baselines,
               "compare the result with the majority class and with an MLP on the same features, trained in addition");
  for (const char* name : {"edges", "nodes", "separator", "edge-source", "edge-target", "edge-header", "directed",
                           "positive", "baselines"}) {
    options.only_where(name, {{"data", {"tables"}}});
  }
  options.only_where("task", {{"data", {"tables"}}, {"task", {"unsupervised"}}});
  for (const char* name :
       {"unknown-nodes", "node-header", "id-column", "label-column", "split-column", "graph-column", "type-column",
        "sparse-column", "sparse-size", "one-hot", "most-categories", "ignore-columns", "missing"}) {
    options.only_where(name, {{"data", {"tables"}}});
    options.only_where(name, {{"nodes", {"*"}}});
  }
}

char TableOptions::separator_character() const {
  switch (separator) {
    case Separator::kAuto: break;
    case Separator::kComma: return ',';
    case Separator::kTab: return '\t';
    case Separator::kSemicolon: return ';';
    case Separator::kWhitespace: return CsvReader::kWhitespace;
  }
  return CsvReader::kAnySeparator;
}

Dataset load_tables(const TableOptions& options) {
  TableSchema schema;
  return load_tables(options, schema);
}

namespace {

// None if a column turns out not to hold numbers: the tables must then be loaded again, looking first.
std::optional<Dataset> try_load(const TableOptions& options, TableSchema& schema, bool look_first) {
  const std::vector<std::string> edge_paths = split_list(options.edges);
  const std::vector<std::string> node_paths = split_list(options.nodes);
  if (edge_paths.empty()) fail("option edges: no table of edges given");
  TableNodes nodes(options, schema, look_first);
  if (!nodes.read(node_paths)) return std::nullopt;
  if (!node_paths.empty() && nodes.size() == 0) fail(node_paths[0], ": no rows, so there are no nodes");
  TableEdges edges(options, nodes, schema.report);
  for (const std::string& path : edge_paths) edges.read(path);
  if (nodes.size() == 0) fail(edge_paths[0], ": no rows, so there are no nodes");
  edges.check_matched();
  const std::vector<NodeId> order = nodes.order();
  if (!order.empty()) edges.renumber(order);
  Dataset data;
  data.name = "tables";
  nodes.finish(order, data);
  if (node_paths.empty()) data.features = one_hot_ids(nodes.size());
  data.graph = edges.graph();
  if (nodes.has_graphs()) data.graph = data.graph.with_parts(nodes.part_begins());
  return data;
}

}  // namespace

std::vector<std::string> unseen_notes(const TableSchema& schema) {
  std::vector<std::string> notes;
  for (const auto& [column, cells] : schema.unseen) {
    notes.push_back("column '" + column + "': " + counted(cells, "cell holds a category", "cells hold categories") +
                    " unseen in training, read as empty");
  }
  return notes;
}

Dataset load_tables(const TableOptions& options, TableSchema& schema) {
  options.check();
  schema.unseen.clear();
  schema.report = {};
  TableSchema first = schema;
  std::optional<Dataset> data = try_load(options, first, false);
  if (data) {
    schema = std::move(first);
  } else {
    data = try_load(options, schema, true);
  }
  if (!schema.learned && !data->train.empty()) learn_means(data->train, schema, *data);
  for (std::string& note : unseen_notes(schema)) schema.report.notes.push_back(std::move(note));
  schema.learned = true;
  return std::move(*data);
}

}  // namespace geniepath
