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

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

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

// What the columns became: features and classes. Learned from the tables a run is trained on and recorded with it;
// followed when other tables are read for that run, so that every feature and class means there what it meant here.
struct TableSchema {
  struct Categories {
    std::string column;
    std::vector<std::string> values;  // one feature each
  };
  struct Table {
    std::vector<std::string> numbers;  // columns, in the order of their features
    std::vector<Categories> one_hot;
    int64_t sparse_size = -1;          // features of the sparse column; -1: there is none
  };
  bool learned = false;  // otherwise still to be filled
  std::vector<Table> tables;
  bool sparse = false;  // the features are kept so
  Task task = Task::kMultiClass;
  std::vector<std::string> classes;
  // While followed: how many cells of a one-hot column hold a value that was not there. They count as empty.
  std::map<std::string, int64_t> unseen;

  nlohmann::ordered_json to_json() const;
  static TableSchema from_json(const nlohmann::ordered_json& object, const std::string& where);
};

// A schema that has learned nothing yet is filled; one that has is followed: a missing or additional column and an
// unknown class are Errors.
Dataset load_tables(const TableOptions& options, TableSchema& schema);
Dataset load_tables(const TableOptions& options);

}  // namespace geniepath
