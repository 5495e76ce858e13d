#include "expect_error.h"
#include "tables_fixture.h"

namespace geniepath {
namespace {

TEST_F(Tables, SayWhatIsWrongWithNodes) {
  const std::string edges = "src,dst\na,a\n";
  EXPECT_ERROR(load("name,f\na,1\n", edges),
               "nodes.csv:1: no column 'id' for the ids; the columns are: name, f "
               "(--id-column names the right one; --id-column row: the row's number, from 0)");
  EXPECT_ERROR(load("Id,f\na,1\n", edges), "; did you mean 'Id'?");
  EXPECT_EQ(load(",id,f\n0,a,1\n", edges).features.num_features(), 2) << "a column without a name";
  EXPECT_ERROR(load("id,f,f\na,1,2\n", edges), "nodes.csv:1: two columns are called 'f'");
  EXPECT_ERROR(load("id,f\na,1\n,2\n", edges), "nodes.csv:3: the id (column 'id') is empty");
  EXPECT_ERROR(load("id,f\na,1\na,2\n", edges), "nodes.csv:3: the id 'a' appears twice");
  EXPECT_ERROR(load("id,f\na,nan\n", edges),
               "nodes.csv:2: column 'f' holds 'nan', expected a number (the option missing");
  EXPECT_ERROR(load("id,f\na,inf\n", edges), "nodes.csv:2: column 'f' holds 'inf', expected a finite number");
  EXPECT_ERROR(load("id,f\na,1e39\n", edges), "nodes.csv:2: column 'f' holds '1e39', expected a finite number");
  EXPECT_ERROR(load("id,f\na,\n", edges), "nodes.csv:2: column 'f' is empty, expected a number");
  EXPECT_ERROR(load("id,f\na\n", edges), "nodes.csv:2: expected 2 fields as in the first row, found 1");
  EXPECT_ERROR(load("id,split\na,later\n", edges), "nodes.csv:2: column 'split' holds 'later', expected train, valid");
  EXPECT_ERROR(load("id,split,label\na,train,\n", edges), "nodes.csv:2: the node is in the train split but has no");
  EXPECT_ERROR(load("\n\n", edges), "nodes.csv: no header row");
  EXPECT_ERROR(load("id,f\n", "src,dst\n"), "nodes.csv: no rows, so there are no nodes");
  options_.missing = Missing::kZero;
  EXPECT_TRUE(load("id,f\na,\n", edges).features.dense().equal(matrix({{0}})));
}

TEST_F(Tables, SayWhatIsWrongWithSparseColumns) {
  const std::string edges = "src,dst\na,a\n";
  for (const char* bad : {"x", "1:", ":1", "-1:2", "1:2:3", "1:x", "1;2"}) {
    EXPECT_ERROR(load(std::string("id,features\na,") + bad + "\n", edges), "expected index:value pairs");
  }
  EXPECT_ERROR(load("id,features\na,1:inf\n", edges), "holds '1:inf', expected a finite number");
  EXPECT_ERROR(load("id,features\na,1:2 0:1 1:3\n", edges), "nodes.csv:2: column 'features' has index 1 twice");
  EXPECT_ERROR(load("id,features\na,4294967296:1\n", edges), "has index 4294967296, too many features");
  options_.sparse_size = 4;
  EXPECT_ERROR(load("id,features\na,4:1\n", edges), "has index 4, but sparse-size says 4 features");
}

TEST_F(Tables, SayWhatIsWrongWithManyValues) {
  std::string labels = "id,label\n", types = "id,type\n", lists = "id,label\n";
  for (int i = 0; i < 10001; ++i) labels += std::to_string(i) + "," + std::to_string(i) + "\n";
  for (int i = 0; i < 300; ++i) types += std::to_string(i) + ",t" + std::to_string(i) + "\n";
  EXPECT_ERROR(load(labels, "src,dst\n"), "nodes.csv:10002: column 'label' holds more than 10000 different labels");
  EXPECT_ERROR(load(types, "src,dst\n"), "nodes.csv:257: more than 255 types of nodes");
  for (int i = 0; i < 5000; ++i) {
    lists += std::to_string(i) + ",";
    for (int j = 0; j < 50; ++j) lists += std::to_string(i * 50 + j) + "|";
    lists += "\n";
  }
  EXPECT_ERROR(load(lists, "src,dst\n"), "5000 nodes with 250000 labels make a matrix of more than");
}

TEST_F(Tables, SayWhatIsWrongWithEdges) {
  const std::string nodes = "id,f\na,1\n";
  EXPECT_ERROR(load(nodes, "src\na\n"), "edges.csv:1: expected two columns or more, found 1");
  EXPECT_ERROR(load(nodes, "src,dst\na,\n"), "edges.csv:2: an end of the edge is empty");
  EXPECT_ERROR(load(nodes, ""), "edges.csv: the file is empty");
  EXPECT_ERROR(load(nodes, "\n"), "edges.csv: no rows");
  EXPECT_ERROR(load("", "src,dst\n"), "edges.csv: no rows, so there are no nodes");
  EXPECT_ERROR(load_tables(TableOptions{}), "option edges: no table of edges given");
}

TEST_F(Tables, SayWhichOptionIsWrong) {
  const std::string nodes = "id,f\na,1\n", edges = "src,dst\na,a\n";
  for (auto [option, value] : {std::pair("label-column", &options_.label_column),
                               {"split-column", &options_.split_column},
                               {"one-hot", &options_.one_hot},
                               {"ignore-columns", &options_.ignore_columns}}) {
    const std::string before = std::exchange(*value, "absent");
    EXPECT_ERROR(load(nodes, edges),
                 std::string("option ") + option + ": no node table has a column 'absent'; the columns are: id, f");
    *value = before;
  }
  EXPECT_ERROR(options_.read_json_text(R"({"missing": "guess"})", "a.json"),
               "missing: 'guess' is not one of error, zero, mean");
}

TEST_F(Tables, NeedTheGraphColumnInEveryTable) {
  options_.edges = folder_.write("edges.csv", "src,dst\na,b\n").string();
  options_.nodes = folder_.write("x.csv", "id,graph\na,g\n").string() + "," +
                   folder_.write("y.csv", "id\nb\n").string();
  EXPECT_ERROR(load_tables(options_), "y.csv:1: either every node table has a column 'graph' or none");
}

TEST_F(Tables, OfOneKindByNameAreRefusedUnlessAColumnHoldsTheTypes) {
  options_.edges = folder_.write("edges.csv", "src,dst\na,b\n").string();
  const auto load_users = [&](const std::string& earlier, const std::string& later) {
    options_.nodes = folder_.write("users.2023.csv", earlier).string() + "," +
                     folder_.write("users.2024.csv", later).string();
    return load_tables(options_);
  };
  EXPECT_ERROR(load_users("id,f\na,1\n", "id,g\nb,2\n"),
               "users.2024.csv: by the file's name, its nodes are of the kind 'users', as are those of ");
  EXPECT_ERROR(load_users("id,f,type\na,1,u\n", "id,g\nb,2\n"), "(rename one), or a column 'type' in both");
  EXPECT_EQ(load_users("id,f,type\na,1,u\n", "id,g,type\nb,2,v\n").type_names, (Names{"u", "v"}));
}

}  // namespace
}  // namespace geniepath
