// A user's own tables: edges and node attributes as CSV files, plain or gzip (docs/data.md).
//
//   edges.csv          accounts.csv                          devices.csv
//   src,dst            id,age,logins,label,split             id,features
//   a1,d7              a1,31,5,normal,train                  d7,3:1 17:0.25
//   a2,d7              a2,44,190,fraud,valid                 d9,
//
// Edges: two columns of ids; further columns are ignored. Nodes: one row per node; the columns id, label, split, graph,
// type and features are special (options name them), and every other column is a numeric feature. Several node tables
// are kinds of nodes, each with features of its own, placed side by side. Without a node table, the nodes are the ids
// of the edges, in order of appearance, with one-hot ids as features.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Field separator; kAuto: the one that occurs most in the first row.
enum class Separator { kAuto, kComma, kTab, kSemicolon };
template <>
inline constexpr auto kNames<Separator> = names<Separator>({{Separator::kAuto, "auto"},
                                                            {Separator::kComma, "comma"},
                                                            {Separator::kTab, "tab"},
                                                            {Separator::kSemicolon, "semicolon"}});

// Whether the first row of the edges names columns; kAuto: unless it begins with two whole numbers.
enum class EdgeHeader { kAuto, kYes, kNo };
template <>
inline constexpr auto kNames<EdgeHeader> =
    names<EdgeHeader>({{EdgeHeader::kAuto, "auto"}, {EdgeHeader::kYes, "yes"}, {EdgeHeader::kNo, "no"}});

// For an edge with an id that no node table has: report an Error, add a node without features, or skip the edge.
enum class UnknownNodes { kError, kAdd, kSkip };
template <>
inline constexpr auto kNames<UnknownNodes> = names<UnknownNodes>(
    {{UnknownNodes::kError, "error"}, {UnknownNodes::kAdd, "add"}, {UnknownNodes::kSkip, "skip"}});

// For an empty feature cell: report an Error, or read it as 0.
enum class Missing { kError, kZero };
template <>
inline constexpr auto kNames<Missing> = names<Missing>({{Missing::kError, "error"}, {Missing::kZero, "zero"}});

// The Task to learn. kAuto: multi-label where a node may have several labels, binary with two classes, else
// multi-class. kUnsupervised: learns from random walks alone.
enum class TableTask { kAuto, kMultiClass, kMultiLabel, kBinary, kUnsupervised };
template <>
inline constexpr auto kNames<TableTask> = names<TableTask>({{TableTask::kAuto, "auto"},
                                                            {TableTask::kMultiClass, "multi-class"},
                                                            {TableTask::kMultiLabel, "multi-label"},
                                                            {TableTask::kBinary, "binary"},
                                                            {TableTask::kUnsupervised, "unsupervised"}});

struct TableOptions : Options {
  std::string edges;
  std::string nodes;
  Separator separator = Separator::kAuto;

  std::string edge_source;
  std::string edge_target;
  EdgeHeader edge_header = EdgeHeader::kAuto;
  bool directed = false;
  UnknownNodes unknown_nodes = UnknownNodes::kError;

  std::string id_column = "id";
  std::string label_column = "label";
  std::string split_column = "split";
  std::string graph_column = "graph";
  std::string type_column = "type";
  std::string sparse_column = "features";
  int64_t sparse_size = 0;
  std::string one_hot;
  std::string ignore_columns;
  Missing missing = Missing::kError;

  TableTask task = TableTask::kAuto;
  std::string positive;

  void visit(OptionVisitor& options) override;
  char separator_character() const;  // '\0': detected in the first row
};

// Mapping of columns to features and classes. Learned from a run's training tables and recorded with the run; applied
// to all tables read for it later, so that features and classes keep their meaning.
struct TableSchema {
  struct Categories {
    std::string column;
    std::vector<std::string> values;  // one feature per value
  };
  struct Table {
    std::vector<std::string> numbers;  // numeric columns, in the order of their features
    std::vector<Categories> one_hot;
    int64_t sparse_size = -1;          // features of the sparse column; -1: no such column
  };
  bool learned = false;  // false: load_tables() fills it
  std::vector<Table> tables;
  bool sparse = false;  // whether the features are stored sparse
  Task task = Task::kMultiClass;
  std::vector<std::string> classes;
  // When applied: number of cells per one-hot column with a value unseen in training. They count as empty.
  std::map<std::string, int64_t> unseen;
};

// Fills a schema that is not learned yet, and applies one that is: a missing or additional column and an unknown class
// are then Errors.
Dataset load_tables(const TableOptions& options, TableSchema& schema);
Dataset load_tables(const TableOptions& options);

}  // namespace geniepath
