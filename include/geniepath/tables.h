// A user's own tables: edges, and what is known about the nodes, as CSV files (see csv.h; gzip too).
//
//   edges.csv          accounts.csv                          devices.csv
//   src,dst            id,age,logins,label,split             id,features
//   a1,d7              a1,31,5,normal,train                  d7,3:1 17:0.25
//   a2,d7              a2,44,190,fraud,valid                 d9,
//
// Edges: two columns of ids; further columns are ignored. Nodes: one row a node; the columns id, label, split, graph,
// type and features have a meaning (their names are options), every other column is a feature and must hold numbers.
// Several node tables are several kinds of nodes, each with features of its own, placed side by side. Without a node
// table the nodes are the ids of the edges, in order of appearance, with one-hot ids as features.
#pragma once

#include <string>

#include "geniepath/dataset.h"
#include "geniepath/options.h"

namespace geniepath {

struct TableOptions : Options {
  std::string edges;
  std::string nodes;
  std::string separator = "auto";

  std::string edge_source;
  std::string edge_target;
  std::string edge_header = "auto";
  bool directed = false;
  std::string unknown_nodes = "error";

  std::string id_column = "id";
  std::string label_column = "label";
  std::string split_column = "split";
  std::string graph_column = "graph";
  std::string type_column = "type";
  std::string sparse_column = "features";
  int64_t sparse_size = 0;
  std::string one_hot;
  std::string ignore_columns;
  std::string missing = "error";

  std::string task = "auto";
  std::string positive;

  void visit(OptionVisitor& options) override;
  char separator_character() const;  // '\0': found out from the first row
};

Dataset load_tables(const TableOptions& options);

}  // namespace geniepath
