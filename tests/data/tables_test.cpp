#include "geniepath/tables.h"

#include <map>
#include <nlohmann/json.hpp>

#include "base/options_json.h"
#include "data/tables/plain_form.h"
#include "data/tables/table_means.h"
#include "expect_error.h"
#include "io/file_writers.h"
#include "io/gzip.h"
#include "tables_fixture.h"

namespace geniepath {
namespace {

TEST_F(Tables, ReadNodesAndEdges) {
  const Dataset data = load("id,age,label,split,income\na,31,x,train,1.5\nb,44,y,valid,0\nc,9,z,test,-2\nd,1,,,3\n",
                            "src,dst\na,b\nb,c\n");
  EXPECT_EQ(data.name, "tables");
  EXPECT_EQ(data.node_names, (Names{"a", "b", "c", "d"}));
  EXPECT_FALSE(data.features.is_sparse());
  EXPECT_TRUE(data.features.dense().equal(matrix({{31, 1.5}, {44, 0}, {9, -2}, {1, 3}})));
  EXPECT_EQ(data.task, Task::kMultiClass);
  EXPECT_EQ(data.metric, "accuracy");
  EXPECT_EQ(data.class_names, (Names{"x", "y", "z"}));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{0, 1, 2, -1}));
  EXPECT_EQ(data.train, Nodes{0});
  EXPECT_EQ(data.valid, Nodes{1});
  EXPECT_EQ(data.test, Nodes{2});
  EXPECT_EQ(data.graph.num_nodes(), 4);
  EXPECT_EQ(data.graph.num_edges(), 4) << "both ways";
  EXPECT_FALSE(data.inductive);
  EXPECT_TRUE(data.type_names.empty());
}

TEST_F(Tables, TakeEdgesAlone) {
  for (const char* edges : {"src,dst\n7,x\nx,y\n", "7,x\nx,y\n"}) {
    const Dataset data = load("", edges);
    EXPECT_EQ(data.node_names, (Names{"7", "x", "y"}));
    EXPECT_TRUE(dense(data.features).equal(at::eye(3)));
    EXPECT_TRUE(data.features.is_sparse());
    EXPECT_EQ(data.graph.num_edges(), 4);
    EXPECT_EQ(classes(data), (std::vector<int64_t>{-1, -1, -1}));
  }
}

TEST_F(Tables, FindTheEdgeColumns) {
  const std::string nodes = "id,f\n0,1\n1,1\n2,1\n";
  options_.directed = true;
  const auto edge = [&](const std::string& text) {
    const Dataset data = load(nodes, text);
    const Adjacency& out = data.graph.outgoing();
    for (NodeId i = 0; i < 3; ++i) {
      if (out.degree(i) > 0) return std::pair<NodeId, NodeId>(i, out.neighbours(i)[0]);
    }
    return std::pair<NodeId, NodeId>(-1, -1);
  };
  const std::pair<NodeId, NodeId> expected(0, 2);
  EXPECT_EQ(edge("src,dst\n0,2\n"), expected);
  EXPECT_EQ(edge("dst,src\n2,0\n"), expected);
  EXPECT_EQ(edge("weight,source,target\n9,0,2\n"), expected);
  EXPECT_EQ(edge("x,y,weight\n0,2,9\n"), expected) << "else the first two";
  EXPECT_EQ(edge("0,2\n"), expected) << "numbers are no header";
  EXPECT_EQ(edge("0.0 2e+00\n"), expected);
  EXPECT_EQ(edge("0\t2\n"), expected);
  EXPECT_EQ(edge("src,dst\n"), (std::pair<NodeId, NodeId>(-1, -1)));
  options_.edge_source = "payer";
  options_.edge_target = "payee";
  EXPECT_EQ(edge("payee,amount,payer\n2,7,0\n"), expected);
  EXPECT_ERROR(edge("a,payee\n0,2\n"), "edges.csv:1: no column 'payer', which the option edge-source names");
  EXPECT_ERROR(edge("0,2\n"), "edge-source and edge-target name columns, but the table has no header");
  options_.edge_target = "payer";
  EXPECT_ERROR(edge("payer,payee\n0,2\n"), "source and target are the same column");
}

TEST_F(Tables, TakeNoEdgeForAHeader) {
  const std::string nodes = "id,f\nann,1\nbob,2\ncem,4\n";
  EXPECT_EQ(load(nodes, "ann,bob\nbob,cem\n").graph.num_edges(), 4) << "ids that exist";
  EXPECT_EQ(notes(), "edges.csv: no header, as the first row holds ids (--edge-header yes: it is a header)\n");
  EXPECT_EQ(load(nodes, "payer,payee\nann,bob\n").graph.num_edges(), 2);
  EXPECT_EQ(
      notes(),
      "edges.csv: the first row is a header (--edge-header no: it is an edge); edges run from 'payer' to 'payee'\n");
  EXPECT_EQ(load(nodes, "src,dst\nann,bob\n").graph.num_edges(), 2);
  EXPECT_EQ(notes(), "");
  EXPECT_EQ(load("", "ann bob\nbob cem\n").graph.num_edges(), 4) << "an id that occurs again";
  EXPECT_EQ(load("", "ann bob\ncem dee\n").graph.num_edges(), 2) << "names, as far as anyone can tell";
  options_.edge_header = TableHeader::kNo;
  EXPECT_EQ(load("", "ann bob\ncem dee\n").graph.num_edges(), 4);
}

TEST_F(Tables, ReadNodesWithoutAHeader) {
  options_.label_column = "column3";
  options_.id_column = "column1";
  const std::string nodes = "a 1.5 x\nb 2.5 y\n";
  EXPECT_EQ(load(nodes, "a b\n").class_names, (Names{"x", "y"})) << "the first row has none of the names, but a number";
  EXPECT_NE(
      notes().find("nodes.csv: no header, as the first row holds numbers: the columns are called column1 to column3"),
      std::string::npos);
  options_.id_column = "row";
  options_.label_column = "y";
  EXPECT_EQ(load("0,1,y\n5,6,p\n7,8,q\n", "0,1\n").graph.num_nodes(), 2) << "numbered columns and a name";
  options_.label_column = "label";
  EXPECT_EQ(load("0,1\n5,6\n7,8\n", "0,1\n").graph.num_nodes(), 2) << "columns numbered as pandas does";
  EXPECT_EQ(load("2019,2020\n5,6\n7,8\n", "0,1\n").graph.num_nodes(), 3);
  options_.node_header = TableHeader::kYes;
  EXPECT_EQ(load("2019,2020\n5,6\n7,8\n", "0,1\n").graph.num_nodes(), 2);
}

TEST_F(Tables, NumberTheRowsWhereThereAreNoIds) {
  options_.id_column = "row";
  const Dataset data = load("age,label\n30,-1\n40,1\n50,-1\n", "2.000e+00 0.000e+00\n1.000e+00 0.000e+00\n");
  EXPECT_TRUE(data.node_names.empty()) << "they are their own numbers";
  EXPECT_EQ(data.graph.num_edges(), 4);
  EXPECT_EQ(data.class_names, (Names{"-1", "1"}));
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{0, 1, 0}));
  EXPECT_ERROR(load("age\n30\n40\n", "0 1\n1 2\n"),
               "edges.csv:2: the id '2' is in no node table, where ids are such as '0'");
  EXPECT_EQ(load("row,age\nx,30\ny,40\n", "x y\n").node_names, (Names{"x", "y"})) << "a column of that name";
  options_.edges = folder_.write("edges.csv", "0 1\n").string();
  options_.nodes = folder_.write("x.csv", "f\n1\n").string() + "," + folder_.write("y.csv", "f\n1\n").string();
  EXPECT_ERROR(load_tables(options_), "the number of a row can be its id only where there is one node table");
}

TEST_F(Tables, CompareNumbersAsNumbers) {
  const Dataset data =
      load("id,f,label\n8.38e+02,1,1.0\n12,2,0\n007,3,1\n", "src,dst\n838,12.0\n838.0,1.2e+01\n007,12\n");
  EXPECT_EQ(data.node_names, (Names{"838", "12", "007"}));
  EXPECT_EQ(data.graph.num_edges(), 4);
  EXPECT_EQ(data.class_names, (Names{"0", "1"}));
  EXPECT_ERROR(load("id,f\n1,1\n1.0,2\n", "1,1\n"), "nodes.csv:3: the id '1' appears twice");
  EXPECT_EQ(load("id,f,label\na,1,+1\nb,2,-1\nc,3,1.0e+00\n", "src,dst\na,b\n").class_names, (Names{"-1", "1"}));
}

TEST_F(Tables, CountTheEdges) {
  options_.unknown_nodes = UnknownNodes::kSkip;
  load("id,f\na,1\nb,1\nc,1\nd,1\n", "src,dst\na,b\nb,a\na,b\nc,c\na,z\n");
  const TableReport report = schema_.report;
  EXPECT_EQ(report.edges, 5);
  EXPECT_EQ(report.skipped, 1);
  EXPECT_EQ(report.merged, 2) << "an edge in either direction is one";
  EXPECT_EQ(report.self_loops, 1);
  EXPECT_EQ(report.without_edges, 2);
  options_.directed = true;
  load("id,f\na,1\nb,1\n", "src,dst\na,b\nb,a\na,b\n");
  EXPECT_EQ(schema_.report.merged, 1);
}

TEST_F(Tables, RefuseEdgesThatMatchNoNode) {
  const std::string nodes = "id,f\na,1\nb,1\n", edges = "src,dst\n0,1\n1,2\n";
  for (const UnknownNodes way : {UnknownNodes::kSkip, UnknownNodes::kAdd}) {
    options_.unknown_nodes = way;
    EXPECT_ERROR(load(nodes, edges),
                 "edges.csv:2: the id '0' is in no node table, and none of the 2 edges joins two of its nodes, "
                 "where ids are such as 'a' (--id-column");
  }
  options_.unknown_nodes = UnknownNodes::kSkip;
  EXPECT_ERROR(load(nodes, "src,dst\na,1\n"), "none of the 1 edges");
  EXPECT_EQ(load(nodes, "src,dst\n").graph.num_edges(), 0) << "no edges at all are no mistake";
}

TEST_F(Tables, NeedNoNamesForIdsThatCount) {
  EXPECT_TRUE(load("id,f\n0,1\n1,1\n", "src,dst\n0,1\n").node_names.empty());
  EXPECT_EQ(load("id,f\n1,1\n0,1\n", "src,dst\n0,1\n").node_names, (Names{"1", "0"}));
  EXPECT_EQ(load("id,f\n00,1\n1,1\n", "src,dst\n00,1\n").node_names, (Names{"00", "1"}));
}

TEST_F(Tables, PutSeveralKindsSideBySide) {
  options_.edges = folder_.write("edges.csv", "account,device\na1,d1\na2,d1\n").string();
  options_.nodes = folder_.write("accounts.csv", "id,age,label\na1,30,0\na2,40,1\n").string() + "," +
                   folder_.write("devices.csv", "id,age,features\nd1,5,0:7 2:9\nd2,6,\n").string();
  const Dataset data = load_tables(options_);
  data.validate();
  EXPECT_EQ(data.type_names, (Names{"accounts", "devices"}));
  EXPECT_EQ(data.node_type, (std::vector<uint8_t>{0, 0, 1, 1}));
  EXPECT_TRUE(data.features.is_sparse());
  EXPECT_TRUE(dense(data.features)
                  .equal(matrix({{30, 0, 0, 0, 0}, {40, 0, 0, 0, 0}, {0, 5, 7, 0, 9}, {0, 6, 0, 0, 0}})));
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{0, 1, -1, -1}));
}

TEST_F(Tables, ReadTypesFromAColumn) {
  const Dataset data = load("id,type,f\na,user,1\nb,shop,2\nc,user,3\nd,,4\n", "src,dst\na,b\n");
  EXPECT_EQ(data.type_names, (Names{"user", "shop", "nodes"}));
  EXPECT_EQ(data.node_type, (std::vector<uint8_t>{0, 1, 0, 2}));
}

TEST_F(Tables, SortSparsePairs) {
  const Dataset data = load("id,features\na,5:0.5 1:2 3\nb,\n", "src,dst\na,b\n");
  EXPECT_TRUE(dense(data.features).equal(matrix({{0, 2, 0, 1, 0, 0.5}, {0, 0, 0, 0, 0, 0}})));
  EXPECT_EQ(data.features.sparse().column[0], 1);
  options_.sparse_size = 10;
  EXPECT_EQ(load("id,features\na,5:0.5\nb,\n", "src,dst\na,b\n").features.num_features(), 10);
}

TEST_F(Tables, MakeCategoriesOneHot) {
  options_.one_hot = "city, plan";
  const Dataset data = load("id,city,f,plan\na,Rome,1,x\nb,Paris,2,x\nc,,3,y\n", "src,dst\na,b\n");
  EXPECT_TRUE(dense(data.features)  // f, city Paris, city Rome, plan x, plan y
                  .equal(matrix({{1, 0, 1, 1, 0}, {2, 1, 0, 1, 0}, {3, 0, 0, 0, 1}})));
}

TEST_F(Tables, FindColumnsOfText) {
  const Dataset data = load("id,city,f,plan\na,Rome,1,x\nb,Paris,2,x\nc,,3,y\n", "src,dst\na,b\n");
  EXPECT_TRUE(dense(data.features).equal(matrix({{1, 0, 1, 1, 0}, {2, 1, 0, 1, 0}, {3, 0, 0, 0, 1}})))
      << "as if listed";
  EXPECT_EQ(notes(), "nodes.csv: column 'city' holds text, with one feature for each of its 2 values\n"
                     "nodes.csv: column 'plan' holds text, with one feature for each of its 2 values\n");
  options_.most_categories = 1;
  EXPECT_EQ(load("id,city,f\na,Rome,1\nb,Paris,2\n", "src,dst\na,b\n").features.num_features(), 1);
  EXPECT_EQ(notes(),
            "nodes.csv: column 'city' holds text with more than 1 different value and is left out (--one-hot or "
            "--most-categories keeps it)\n");
  EXPECT_ERROR(load("id,f\na,1\nb,2\nc,3\nd,4x\n", "src,dst\na,b\n"),
               "nodes.csv:5: '4x' in column 'f', where most cells are numbers, expected a number");
  options_.one_hot = "city";
  EXPECT_EQ(load("id,city,f\na,Rome,1\nb,Paris,2\n", "src,dst\na,b\n").features.num_features(), 3) << "listed";
}

TEST_F(Tables, SayWhichFormOfTextWouldBeANumberOrADate) {
  load("id,paid,rate,born,city\na,\"1,234.50\",5 %,31/12/2020,Rome 1\nb,$5,7 %,1/2/2021,Oslo\nc,6,,2/2/2021,Bonn\n",
       "src,dst\na,b\n");
  EXPECT_EQ(
      notes(),
      "nodes.csv: column 'paid' holds text, with one feature for each of its 3 values; '1,234.50' would be read as a "
      "number if written 1234.50\n"
      "nodes.csv: column 'rate' holds text, with one feature for each of its 2 values; '5 %' would be read as a number "
      "if written 5\n"
      "nodes.csv: column 'born' holds text, with one feature for each of its 3 values; '31/12/2020' would be read as a "
      "date if written 2020-12-31\n"
      "nodes.csv: column 'city' holds text, with one feature for each of its 3 values\n");
  options_.most_categories = 1;
  load("id,paid\na,$5\nb,$6\n", "src,dst\na,b\n");
  EXPECT_EQ(notes(),
            "nodes.csv: column 'paid' holds text with more than 1 different value and is left out (--one-hot or "
            "--most-categories keeps it); '$5' would be read as a number if written 5\n");
}

TEST(PlainForm, IsHowNumbersAndDatesAreRead) {
  for (const auto& [cell, plain] : std::map<std::string, std::string>{{"1,234.50", "1234.50"},
                                                                      {"1.234,50", "1234.50"},
                                                                      {"1,234", "1234"},
                                                                      {"12,5", "12.5"},
                                                                      {"-$5", "-5"},
                                                                      {"1 234 567", "1234567"},
                                                                      {"€ 1'000.00", "1000.00"},
                                                                      {"5%", "5"},
                                                                      {"31/12/2020", "2020-12-31"},
                                                                      {"12/31/2020", "2020-12-31"},
                                                                      {"1.2.2020", "2020-02-01"},
                                                                      {"2020/12/31", "2020-12-31"},
                                                                      {"31/12/2020 10:15", "2020-12-31"}}) {
    const auto found = plain_form(cell);
    ASSERT_TRUE(found) << cell;
    EXPECT_EQ(found->text, plain) << cell;
    EXPECT_EQ(found->date, plain.find('-', 1) != std::string::npos) << cell;
  }
  for (const char* cell :
       {"", "Rome", "v1.2", "10.0.0.1", "12,34,56", "555-1234", "31/31/2020", "%", "$", "A7", "1:2"}) {
    EXPECT_FALSE(plain_form(cell)) << cell;
  }
}

TEST_F(Tables, FindTextInTheLastRowAndInSeveralTables) {
  options_.edges = folder_.write("edges.csv", "src,dst\na,b\n").string();
  options_.nodes =
      folder_.write("x.csv", "id,f\na,1\n").string() + "," + folder_.write("y.csv", "id,g\nb,2\nc,deep\n").string();
  EXPECT_TRUE(dense(load_tables(options_).features).equal(matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})));
}

TEST_F(Tables, FindTextBelowEmptyCells) {
  for (const char* empty : {"", "None", "NaN"}) {
    const std::string first = std::string("id,f\na,") + empty + "\nb,x\nc,y\n";
    const std::string later = std::string("id,f\nb,x\na,") + empty + "\nc,y\n";
    const auto num_features = [&](const std::string& nodes) {
      return load(nodes, "src,dst\na,b\n").features.num_features();
    };
    EXPECT_EQ(num_features(first), num_features(later));
    EXPECT_NE(notes().find("column 'f' holds text"), std::string::npos) << empty;
  }
}

TEST_F(Tables, ReadDatesAsDays) {
  const Dataset data = load("id,since\na,1970-01-03\nb,1970-01-01 12:00\n", "src,dst\na,b\n");
  EXPECT_TRUE(data.features.dense().equal(matrix({{2}, {0.5}})));
  EXPECT_EQ(notes(), "nodes.csv: column 'since' holds dates, read as days since 1970-01-01\n");
  EXPECT_EQ(load("id,x\na,1970-01-03\nb,5\n", "src,dst\na,b\n").features.num_features(), 2)
      << "dates and numbers: text";
}

TEST_F(Tables, FillEmptyCellsAsTold) {
  const std::string nodes = "id,f,g,since\na,1,1,1970-01-03\nb,,2,\nc,3,3,1970-01-05\n", edges = "src,dst\na,b\n";
  EXPECT_ERROR(load(nodes, edges), "nodes.csv:3: column 'f' is empty, expected a number (the option missing = zero");
  EXPECT_ERROR(load("id,f\na,NA\n", "src,dst\na,a\n"), "nodes.csv:2: column 'f' holds 'NA', expected a number");
  options_.missing = Missing::kZero;
  EXPECT_TRUE(load(nodes, edges).features.dense().equal(matrix({{1, 1, 2}, {0, 2, 0}, {3, 3, 4}})));
  options_.missing = Missing::kMean;
  EXPECT_TRUE(load(nodes, edges).features.dense().equal(matrix({{1, 1, 2, 0, 0}, {2, 2, 3, 1, 1}, {3, 3, 4, 0, 0}})))
      << "f, g, since, f is empty, since is empty";
  EXPECT_NE(notes().find(
                "column 'f': 1 empty cell is read as the mean over the training nodes, and marked by one more feature"),
            std::string::npos);
}

TEST_F(Tables, FillEmptyCellsWithTheMeanOfTheTrainingNodes) {
  options_.missing = Missing::kMean;
  const Dataset data =
      load("id,f,g,label,split\na,1,,x,train\nb,,2,y,train\nc,4,3,y,train\nd,100,100,x,test\ne,,,x,valid\n",
           "src,dst\na,b\n");
  EXPECT_TRUE(data.features.dense().equal(
      matrix({{1, 2.5, 0, 1}, {2.5, 2, 1, 0}, {4, 3, 0, 0}, {100, 100, 0, 0}, {2.5, 2.5, 1, 1}})))
      << "f, g, f is empty, g is empty";
  EXPECT_EQ(schema_.tables[0].means, (std::vector<double>{2.5, 2.5}));
}

TEST_F(Tables, LearnMeansOfEachTableAndOfOtherSplits) {
  options_.missing = Missing::kMean;
  options_.unknown_nodes = UnknownNodes::kAdd;
  options_.edges = folder_.write("edges.csv", "src,dst\na,d\nb,stranger\n").string();
  options_.nodes = folder_.write("accounts.csv", "id,f,kind,label\na,-3,u,x\nb,,v,y\nc,3,w,y\n").string() + "," +
                   folder_.write("devices.csv", "id,age,features\nd,5,2:1\ne,,\nh,9,0:4\n").string();
  Dataset data = load_tables(options_, schema_);
  ASSERT_TRUE(data.features.is_sparse());
  EXPECT_EQ(schema_.tables[0].means, std::vector<double>{0}) << "without training nodes: of the table";
  learn_means(Nodes{2}, schema_, data);
  data.validate();
  EXPECT_EQ(schema_.tables[0].means, std::vector<double>{3});
  EXPECT_EQ(schema_.tables[1].means, std::vector<double>{7}) << "a table without training nodes";
  // f, kind u, v, w, f is empty; age, age is empty, the sparse column
  EXPECT_TRUE(dense(data.features).equal(matrix({{-3, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                                                 {3, 0, 1, 0, 1, 0, 0, 0, 0, 0},
                                                 {3, 0, 0, 1, 0, 0, 0, 0, 0, 0},
                                                 {0, 0, 0, 0, 0, 5, 0, 0, 0, 1},
                                                 {0, 0, 0, 0, 0, 7, 1, 0, 0, 0},
                                                 {0, 0, 0, 0, 0, 9, 0, 4, 0, 0},
                                                 {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}})));
}

TEST_F(Tables, WarnOfColumnsThatOneClassAloneFillsIn) {
  std::string nodes = "id,step,closed,often,label\n";
  for (int i = 0; i < 120; ++i) {
    const bool bad = i % 3 == 0, found = i % 2 == 0;  // a step for all that are bad, a reason for half of them
    nodes += "n" + std::to_string(i) + "," + (bad ? std::to_string(i) : "-1") + "," +
             (bad && found ? (i % 4 == 0 ? "call" : "letter") : "") + "," +
             (bad || i < 40 ? std::to_string(i % 5) : "0") + (bad ? ",bad\n" : ",good\n");
  }
  load(nodes, "src,dst\nn0,n1\n");
  const std::string found = notes();
  for (const char* column : {"step", "closed"}) {
    EXPECT_NE(found.find("column '" + std::string(column) + "' has one value in all rows but those of one class"),
              std::string::npos)
        << found;
  }
  EXPECT_EQ(found.find("'often'"), std::string::npos) << found;
  EXPECT_EQ(load("id,f,label\na,0,x\nb,0,x\nc,0,x\nd,1,y\n", "src,dst\na,b\n").num_classes, 2);
  EXPECT_EQ(notes().find("'f'"), std::string::npos) << "three rows may be chance: " << notes();
}

TEST_F(Tables, WarnOfColumnsThatTellNothingOrTooMuch) {
  std::string nodes = "id,same,copy,word,account,shuffled,f,label\n";
  for (int i = 0; i < 24; ++i) {
    const bool bad = i % 3 == 0;
    nodes += "n" + std::to_string(i) + ",7," + (bad ? "2.5" : "1") + (bad ? ",yes," : ",no,") +
             std::to_string(1000 + i) + "," + std::to_string(i * 7 % 24) + "," + std::to_string(i * i % 5) +
             (bad ? ",bad\n" : ",good\n");
  }
  load(nodes, "src,dst\nn0,n1\n");
  const std::string found = notes();
  for (const char* part :
       {"column 'same' holds the same value in every row", "column 'copy' copies the label",
        "column 'word' copies the label", "column 'account' looks like ids", "column 'shuffled' looks like ids"}) {
    EXPECT_NE(found.find(part), std::string::npos) << part << " in\n" << found;
  }
  EXPECT_EQ(found.find("'f'"), std::string::npos) << found;
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 7) << found;
}

TEST_F(Tables, LeaveColumnsOut) {
  options_.ignore_columns = "name,type";
  const Dataset data = load("id,name,type,f\na,Ann,u,1\nb,Bob,v,2\n", "src,dst\na,b\n");
  EXPECT_TRUE(data.features.dense().equal(matrix({{1}, {2}})));
  EXPECT_TRUE(data.type_names.empty());
}

TEST_F(Tables, MakeTwoClassesBinary) {
  const std::string edges = "src,dst\na,b\n";
  Dataset data = load("id,f,label\na,1,1\nb,1,0\nc,1,\n", edges);
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(data.metric, "f1");
  EXPECT_EQ(data.num_classes, 2);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, 0, -1}));
  data = load("id,f,label\na,1,fraud\nb,1,normal\n", edges);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{0, 1})) << "the second in sorted order";
  options_.positive = "fraud";
  data = load("id,f,label\na,1,fraud\nb,1,normal\n", edges);
  EXPECT_EQ(data.class_names, (Names{"normal", "fraud"}));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, 0}));
  options_.positive = "spam";
  EXPECT_ERROR(load("id,f,label\na,1,fraud\nb,1,normal\n", edges), "option positive: 'spam' is not one of");
  options_.positive = "";
  options_.task = TableTask::kMultiClass;
  EXPECT_EQ(load("id,f,label\na,1,fraud\nb,1,normal\n", edges).task, Task::kMultiClass);
  options_.task = TableTask::kBinary;
  data = load("id,f,label\na,1,1\nb,1,\n", edges);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, -1})) << "0 and 1 are known even where one is not seen";
  EXPECT_EQ(classes(load("id,f,label\na,1,false\nb,1,\n", edges)), (std::vector<int64_t>{0, -1}));
  EXPECT_ERROR(load("id,f,label\na,1,x\nb,1,\n", edges), "a binary task needs two classes, found 1: x");
  EXPECT_ERROR(load("id,f,label\na,1,x\nb,1,y\nc,1,z\n", edges), "needs two classes, found 3: x, y, z");
}

TEST_F(Tables, SortNumberedClassesByValue) {
  const Dataset data = load("id,f,label\na,1,10\nb,1,9\nc,1,100\n", "src,dst\na,b\n");
  EXPECT_EQ(data.class_names, (Names{"9", "10", "100"}));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, 0, 2}));
}

TEST_F(Tables, ReadLabelLists) {
  const Dataset data = load("id,f,label\na,1,red|blue\nb,1,red\nc,1,\nd,1,|\n", "src,dst\na,b\n");
  EXPECT_EQ(data.task, Task::kMultiLabel);
  EXPECT_EQ(data.metric, "micro_f1");
  EXPECT_EQ(data.class_names, (Names{"blue", "red"}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(at::allclose(data.labels, matrix({{1, 1}, {0, 1}, {nan, nan}, {0, 0}}), 0, 0, true));
}

TEST_F(Tables, ReadNumbersInLabelListsAsOneClassPerNumber) {
  const Dataset data = load("id,f,label\na,1,1.0;2.0\nb,1,1.0\nc,1,+2;1\nd,1,2\n", "src,dst\na,b\n");
  EXPECT_EQ(data.class_names, (Names{"1", "2"}));
  EXPECT_TRUE(data.labels.equal(matrix({{1, 1}, {1, 0}, {1, 1}, {0, 1}})));
}

TEST_F(Tables, ReadLabelColumns) {
  options_.label_column = "red,blue";
  const Dataset data = load("id,red,f,blue\na,1,5,0\nb,True,6,false\nc,,7,\n", "src,dst\na,b\n");
  EXPECT_EQ(data.task, Task::kMultiLabel);
  EXPECT_EQ(data.class_names, (Names{"red", "blue"}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(at::allclose(data.labels, matrix({{1, 0}, {1, 0}, {nan, nan}}), 0, 0, true));
  EXPECT_TRUE(data.features.dense().equal(matrix({{5}, {6}, {7}})));
  const std::string edges = "src,dst\na,b\n";
  EXPECT_ERROR(load("id,red,blue\na,2,0\n", edges), "nodes.csv:2: label column 'red' holds '2', expected 0 or 1");
  EXPECT_ERROR(load("id,red,blue\na,1,\n", edges), "nodes.csv:2: label column 'blue' is empty but others are not");
  EXPECT_ERROR(load("id,red\na,1\n", edges), "nodes.csv:1: has some of the label columns but no 'blue'");
  options_.task = TableTask::kBinary;
  EXPECT_ERROR(load("id,red,blue\na,1,0\n", edges), "binary takes one label column, found 2");
}

TEST_F(Tables, PutTheNodesOfAGraphTogether) {
  const std::string nodes = "id,f,label,graph,split\na,1,x,g,train\nb,2,y,h,valid\nc,3,z,g,\nd,4,x,h,valid\n";
  const Dataset data = load(nodes, "src,dst\na,c\nd,b\n");
  EXPECT_EQ(data.node_names, (Names{"a", "c", "b", "d"}));
  EXPECT_EQ(data.graph.num_parts(), 2);
  EXPECT_EQ(data.graph.part_begins(), (Nodes{0, 2, 4}));
  EXPECT_TRUE(data.features.dense().equal(matrix({{1}, {3}, {2}, {4}})));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{0, 2, 1, 0}));
  EXPECT_EQ(data.valid, (Nodes{2, 3}));
  EXPECT_TRUE(data.inductive);
  EXPECT_ERROR(load(nodes, "src,dst\na,c\na,b\n"), "edges.csv:3: the edge joins graph 'g' and graph 'h'");
  EXPECT_ERROR(load("id,graph\na,\n", "src,dst\n"), "nodes.csv:2: column 'graph' is empty");
  options_.unknown_nodes = UnknownNodes::kAdd;
  EXPECT_ERROR(load(nodes, "src,dst\na,c\n"), "add cannot be combined with a graph column");
}

TEST_F(Tables, AreNotInductiveWhereAGraphHoldsTwoSplits) {
  const std::string mixed = "id,f,label,graph,split\na,1,x,g,train\nb,2,y,g,valid\nc,3,z,h,test\n";
  EXPECT_FALSE(load(mixed, "src,dst\na,b\n").inductive);
  EXPECT_FALSE(load("id,f,label,graph\na,1,x,g\nb,2,y,h\n", "src,dst\na,a\n").inductive) << "no split yet";
}

TEST_F(Tables, TreatUnknownNodesAsTold) {
  const std::string nodes = "id,f,label\na,1,x\nb,2,y\n", edges = "src,dst\na,b\na,new\nnew,b\n";
  EXPECT_ERROR(load(nodes, edges), "edges.csv:3: the id 'new' is in no node table");
  options_.unknown_nodes = UnknownNodes::kSkip;
  EXPECT_EQ(load(nodes, edges).graph.num_edges(), 2);
  options_.unknown_nodes = UnknownNodes::kAdd;
  const Dataset data = load(nodes, edges);
  EXPECT_EQ(data.node_names, (Names{"a", "b", "new"}));
  EXPECT_EQ(data.graph.num_edges(), 6);
  EXPECT_TRUE(data.features.dense().equal(matrix({{1}, {2}, {0}})));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{0, 1, -1}));
  EXPECT_EQ(load("id,f,type\na,1,user\nb,2,shop\n", edges).type_names, (Names{"user", "shop", "unlisted"}));
}

TEST_F(Tables, ReadGzip) {
  if (!GzipReader::available()) GTEST_SKIP() << "built without zlib";
  options_.edges = folder_.write("edges.csv.gz", testing::gzip("src,dst\na,b\n")).string();
  options_.nodes = folder_.write("nodes.csv.gz", testing::gzip("id,f,c\na,1,u\nb,2,v\n")).string();
  options_.one_hot = "c";
  EXPECT_TRUE(load_tables(options_).features.dense().equal(matrix({{1, 1, 0}, {2, 0, 1}})));
}

TEST_F(Tables, ReadTheExample) {
  const std::string folder = std::filesystem::path(__FILE__).parent_path() / "../../examples/own_tables/";
  options_.edges = folder + "edges.csv";
  options_.nodes = folder + "accounts.csv," + folder + "devices.csv";
  options_.positive = "malicious";
  const Dataset data = load_tables(options_);
  data.validate();
  EXPECT_EQ(data.graph.num_nodes(), 560);
  EXPECT_EQ(data.graph.num_edges(), 2 * 477);
  EXPECT_EQ(data.features.num_features(), 3 + 3 + 4);
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ((data.labels == 1).sum().item<int64_t>(), 60);
  EXPECT_EQ(data.train.size() + data.valid.size() + data.test.size(), 300u);
}

TEST_F(Tables, GoThroughJsonByTheirDashedNames) {
  options_.unknown_nodes = UnknownNodes::kSkip;
  TableOptions back;
  read_json(back, to_json(options_), "json");
  EXPECT_EQ(back.unknown_nodes, UnknownNodes::kSkip);
  EXPECT_TRUE(to_json(options_).contains("edge-source"));
}

TEST_F(Tables, MarksForUnknownLabelsAreNoClass) {
  const Dataset data = load("id,label\na,good\nb,NA\nc,bad\nd,nan\n", "src,dst\na,b\nc,d\n");
  EXPECT_EQ(data.class_names, (Names{"bad", "good"}));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, -1, 0, -1}));
  EXPECT_NE(notes().find("column 'label': 2 cells such as 'nan' read as unlabelled"), std::string::npos) << notes();
  const Dataset none = load("id,label\na,None\nb,much\nc,little\n", "src,dst\na,b\n");
  EXPECT_EQ(none.class_names, (Names{"None", "little", "much"}));
}

TEST_F(Tables, SayWhichClassIsToBeFound) {
  load("id,label\na,fraud\nb,legit\n", "src,dst\na,b\n");
  EXPECT_NE(notes().find("the class to find is 'legit', the second by name (--positive 'fraud' for the other)"),
            std::string::npos)
      << notes();
  for (const char* clear : {"id,label\na,0\nb,1\n", "id,label\na,-1\nb,+1\n", "id,label\na,false\nb,true\n"}) {
    load(clear, "src,dst\na,b\n");
    EXPECT_EQ(notes().find("to find"), std::string::npos) << notes();
  }
  options_.positive = "fraud";
  load("id,label\na,fraud\nb,legit\n", "src,dst\na,b\n");
  EXPECT_EQ(notes().find("to find"), std::string::npos) << notes();
}

TEST_F(Tables, AmountsAreNoClasses) {
  std::string nodes = "id,label\n";
  for (int n = 0; n < 150; ++n) nodes += std::to_string(n) + "," + std::to_string(n * 0.37) + "\n";
  EXPECT_ERROR(load(nodes, "src,dst\n0,1\n"), "column 'label' holds 150 different labels in 150 rows");
}

TEST_F(Tables, TellOfTablesWithoutRows) {
  EXPECT_ERROR(load("id,label\n", "src,dst\n0,1\n"), "nodes.csv: no rows, so there are no nodes");
  load("id,label\na,0\nb,1\n", "src,dst\n");
  EXPECT_NE(notes().find("the tables of edges have no rows"), std::string::npos) << notes();
}

}  // namespace
}  // namespace geniepath
