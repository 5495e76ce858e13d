// A user's own tables: edges and node attributes as text files, plain or gzip (docs/data.md).
//
//   edges.csv          accounts.csv                          devices.csv
//   src,dst            id,age,logins,label,split             id,features
//   a1,d7              a1,31,5,normal,train                  d7,3:1 17:0.25
//   a2,d7              a2,44,190,fraud,valid                 d9,
//
// Edges: two columns of ids; further columns are ignored. Nodes: one row per node; the columns id, label, split, graph,
// type and features are special (options name them), and every other column is a feature: a number, a date, or text
// with one feature per value. Several node tables are kinds of nodes, each with features of its own, placed side by
// side. Without a node table, the nodes are the ids of the edges, in order of appearance, with one-hot ids as features.
// Ids are texts; whole numbers are the same however they are written: 838, 838.0, 8.38e+02.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Field separator; kAuto: the one that occurs most in the first row, else kWhitespace, runs of blanks and tabs.
enum class Separator { kAuto, kComma, kTab, kSemicolon, kWhitespace };
template <>
inline constexpr auto kNames<Separator> = names<Separator>({{Separator::kAuto, "auto"},
                                                            {Separator::kComma, "comma"},
                                                            {Separator::kTab, "tab"},
                                                            {Separator::kSemicolon, "semicolon"},
                                                            {Separator::kWhitespace, "whitespace"}});

// Whether the first row of a table names its columns. kAuto: yes, unless it holds ids of nodes or numbers.
enum class TableHeader { kAuto, kYes, kNo };
template <>
inline constexpr auto kNames<TableHeader> =
    names<TableHeader>({{TableHeader::kAuto, "auto"}, {TableHeader::kYes, "yes"}, {TableHeader::kNo, "no"}});

// For an edge with an id that no node table has: report an Error, add a node without features, or skip the edge.
enum class UnknownNodes { kError, kAdd, kSkip };
template <>
inline constexpr auto kNames<UnknownNodes> = names<UnknownNodes>(
    {{UnknownNodes::kError, "error"}, {UnknownNodes::kAdd, "add"}, {UnknownNodes::kSkip, "skip"}});

// For an empty cell of numbers or dates: report an Error, read it as 0, or as the mean of the column's other cells
// (where there are training nodes: of theirs), with one more feature that marks such cells.
enum class Missing { kError, kZero, kMean };
template <>
inline constexpr auto kNames<Missing> =
    names<Missing>({{Missing::kError, "error"}, {Missing::kZero, "zero"}, {Missing::kMean, "mean"}});

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
  TableHeader edge_header = TableHeader::kAuto;
  bool directed = false;
  UnknownNodes unknown_nodes = UnknownNodes::kError;

  TableHeader node_header = TableHeader::kAuto;
  std::string id_column = "id";  // "row": the row's number, from 0
  std::string label_column = "label";
  std::string split_column = "split";
  std::string graph_column = "graph";
  std::string type_column = "type";
  std::string sparse_column = "features";
  int64_t sparse_size = 0;
  std::string one_hot;
  int64_t most_categories = 50;
  std::string ignore_columns;
  Missing missing = Missing::kError;

  TableTask task = TableTask::kAuto;
  std::string positive;
  bool baselines = true;

  bool needs_labels = false;  // not an option: the label column must exist, also in tables that a run is applied to

  void visit(OptionVisitor& options) override;
  char separator_character() const;  // '\0': detected in the first row
};

// Findings from loading tables.
struct TableReport {
  int64_t edges = 0;         // rows of the edge tables
  int64_t skipped = 0;       // of these, with an id that no node table has
  int64_t merged = 0;        // of these, repeating an earlier edge
  int64_t self_loops = 0;    // of these, from a node to itself
  int64_t without_edges = 0;  // nodes without an edge to another node
  std::vector<int32_t> table_of_node;  // where empty cells become means: the table that lists a node, -1: none
  std::vector<std::string> notes;  // what was assumed, and what looks wrong: one sentence each
};

// Mapping of columns to features and classes. Learned from a run's training tables and recorded with the run; applied
// to all tables read for it later, so that features and classes keep their meaning.
struct TableSchema {
  struct Categories {
    std::string column;
    std::vector<std::string> values;  // one feature per value
  };
  struct Table {
    std::string kind;                   // by the file's name, of one among several; "": not recorded
    std::vector<std::string> numbers;   // columns of numbers and dates, in the order of their features
    std::vector<std::string> dates;     // of these, those with dates
    std::vector<double> means;          // one per number, in place of empty cells; none: there were no means
    std::vector<Categories> one_hot;
    std::vector<std::string> marked;    // of the numbers, those with a feature that marks empty cells
    std::vector<std::string> left_out;  // columns of text with too many values
    int64_t sparse_size = -1;           // features of the sparse column; -1: no such column
  };
  bool learned = false;  // false: load_tables() fills it
  std::vector<Table> tables;
  bool sparse = false;  // whether the features are stored sparse
  Task task = Task::kMultiClass;
  std::vector<std::string> classes;
  // When applied: number of cells per one-hot column with a value unseen in training. They count as empty.
  std::map<std::string, int64_t> unseen;
  TableReport report;  // of the last load; not recorded
};

// Fills a schema that is not learned yet, and applies one that is: a missing or additional column and an unknown class
// are then Errors.
Dataset load_tables(const TableOptions& options, TableSchema& schema);
Dataset load_tables(const TableOptions& options);

}  // namespace geniepath
