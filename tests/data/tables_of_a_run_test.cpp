#include <nlohmann/json.hpp>

#include "data/tables/table_cells.h"
#include "data/tables/table_schema_json.h"
#include "expect_error.h"
#include "tables_fixture.h"

namespace geniepath {
namespace {

// Other tables, read for a run trained on the first ones.
class TablesOfARun : public Tables {
 protected:
  void SetUp() override {
    learn("id,city,age,label,split\n0,rome,31,x,train\n1,oslo,44,y,train\n2,,9,z,test\n");
  }
  void learn(const std::string& nodes) {
    schema_ = {};
    read(nodes);
    schema_ = table_schema_from_json(nlohmann::ordered_json::parse(to_json(schema_).dump()), "schema");
  }
  Dataset read(const std::string& nodes) {
    options_.edges = folder_.write("edges.csv", "src,dst\n0,1\n").string();
    options_.nodes = folder_.write("nodes.csv", nodes).string();
    Dataset data = load_tables(options_, schema_);
    data.validate();
    return data;
  }
};

TEST_F(TablesOfARun, HaveItsColumnsAndClasses) {
  const Dataset data = read("id,age,label,city\n0,5,z,rome\n1,6,,rome\n");
  EXPECT_TRUE(dense(data.features).equal(matrix({{5, 0, 1}, {6, 0, 1}}))) << "age, oslo, rome";
  EXPECT_EQ(data.class_names, (Names{"x", "y", "z"}));
  EXPECT_EQ(data.num_classes, 3);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{2, -1}));
  EXPECT_TRUE(schema_.unseen.empty());
}

TEST_F(TablesOfARun, KeepTheirMeansDatesAndMarks) {
  options_.missing = Missing::kMean;
  options_.most_categories = 1;
  learn("id,age,since,city,plan,label\n0,31,1970-01-03,rome,x,p\n1,,1970-01-05,oslo,x,q\n2,33,1970-01-04,,x,q\n");
  EXPECT_EQ(schema_.tables[0].left_out, Names{"city"});
  EXPECT_EQ(schema_.tables[0].means, (std::vector<double>{32, 3}));
  const Dataset data = read("id,since,plan,age\n0,1970-01-11,x,\n1,,y,5\n");
  EXPECT_TRUE(dense(data.features).equal(matrix({{32, 10, 1, 1}, {5, 3, 0, 0}}))) << "age, since, plan x, age is empty";
  EXPECT_NO_THROW(read("id,since,plan,age,city\n0,1970-01-11,x,1,rome\n1,,y,5,bonn\n")) << "a column that was left out";
  EXPECT_ERROR(read("id,since,plan,age\n0,1970-01-11,x,old\n"),
               "nodes.csv:2: column 'age' holds 'old', expected a number, as when the run was trained");
  EXPECT_ERROR(read("id,since,plan,age\n0,soon,x,1\n"),
               "column 'since' holds 'soon', expected a date such as 2024-05-01");
}

TEST_F(TablesOfARun, WithoutMeansHaveNone) {
  options_.missing = Missing::kMean;
  EXPECT_ERROR(read("id,city,age\n0,rome,\n1,oslo,1\n"), "option missing: mean, but the run was trained without means");
}

TEST_F(TablesOfARun, OfOlderVersionsAreRead) {
  schema_ = table_schema_from_json(nlohmann::ordered_json::parse(R"({"tables": [{"numbers": ["age"], "one_hot":
      [{"column": "city", "values": ["oslo", "rome"]}], "sparse_size": -1}], "sparse": false, "task": "binary",
      "classes": ["0.0", "1.0"]})"), "schema");
  const Dataset data = read("id,city,age,label\n0,rome,5,1\n1,oslo,6,0.0\n");
  EXPECT_TRUE(dense(data.features).equal(matrix({{5, 0, 1}, {6, 1, 0}})));
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, 0}));
}

TEST_F(TablesOfARun, RefuseASchemaThatContradictsItself) {
  const auto parse = [](const std::string& table) {
    return table_schema_from_json(
        nlohmann::ordered_json::parse(R"({"tables": [{"numbers": ["age"], "one_hot": [], )" + table +
                                      R"("sparse_size": -1}], "sparse": false, "task": "binary", "classes": []})"),
        "m.json");
  };
  EXPECT_ERROR(parse(R"("means": [1, 2], )"), "m.json: means: expected 1, one per number, found 2");
  EXPECT_ERROR(parse(R"("marked": ["age", "age"], )"), "m.json: marked: 'age'");
  EXPECT_ERROR(parse(R"("dates": ["x"], )"), "m.json: dates: 'x' is not one of the numbers");
}

TEST_F(TablesOfARun, CountCategoriesThatWereNotThere) {
  const Dataset data = read("id,city,age\n0,bonn,5\n1,bonn,6\n2,oslo,7\n");
  EXPECT_TRUE(dense(data.features).equal(matrix({{5, 0, 0}, {6, 0, 0}, {7, 1, 0}})));
  EXPECT_EQ(schema_.unseen, (std::map<std::string, int64_t>{{"city", 2}}));
  EXPECT_EQ(data.task, Task::kMultiClass) << "also without any label";
}

TEST_F(TablesOfARun, NameAClassThatWasNotThere) {
  EXPECT_ERROR(read("id,city,age,label\n0,rome,5,x\n1,rome,5,w\n"),
               "nodes.csv:3: the class 'w' is not one the run was trained on: x, y, z");
  learn("id,city,age,label\n0,rome,1,a;b\n1,rome,1,c\n");
  EXPECT_ERROR(read("id,city,age,label\n0,rome,5,a\n1,rome,5,b;d\n"), "nodes.csv:3: the class 'd' is not one");
  const Dataset data = read("id,city,age,label\n0,rome,5,b\n1,rome,5,\n");
  EXPECT_EQ(data.task, Task::kMultiLabel) << "though no node has several";
  EXPECT_EQ(data.class_names, (Names{"a", "b", "c"}));
}

TEST_F(TablesOfARun, ReadOtherSpellingsInLabelLists) {
  learn("id,f,label\n0,1,0;1\n1,2,0\n2,3,1\n");
  const Dataset truths = read("id,f,label\n0,1,false;true\n1,2,|\n2,3,false\n");
  EXPECT_TRUE(truths.labels.equal(matrix({{1, 1}, {0, 0}, {1, 0}})));
  learn("id,f,label\n0,1,1;2\n1,2,2\n2,3,3\n");
  const Dataset numbers = read("id,f,label\n0,1,1.0\n1,2,3.0;+2\n2,3,|\n");
  EXPECT_TRUE(numbers.labels.equal(matrix({{1, 0, 0}, {0, 1, 1}, {0, 0, 0}})));
  EXPECT_ERROR(read("id,f,label\n0,1,1;4.0\n"), "nodes.csv:2: the class '4' is not one the run was trained on: 1, 2, 3");
}

TEST_F(TablesOfARun, KeepTheTaskAndTheWayFeaturesAreHeld) {
  learn("id,city,age,label\n0,rome,1,0\n1,rome,1,1\n");
  const Dataset data = read("id,city,age,label\n0,rome,5,1.0\n1,rome,5,\n");
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(classes(data), (std::vector<int64_t>{1, -1}));
  learn("id,features\n0,0:1 7:2\n1,\n");
  const Dataset sparse = read("id,features\n0,3:1\n1,\n");
  EXPECT_TRUE(sparse.features.is_sparse());
  EXPECT_EQ(sparse.features.num_features(), 8);
  EXPECT_ERROR(read("id,features\n0,8:1\n"), "has index 8, but the run was trained on 8 features");
  EXPECT_ERROR(read("id\n0\n1\n"), "no sparse column, but the run was trained with one");
}

// Tables of two kinds with the same columns.
class TwoTablesOfARun : public TablesOfARun {
 protected:
  void SetUp() override {
    options_.edges = folder_.write("edges.csv", "src,dst\na,d\n").string();
    accounts_ = folder_.write("accounts.csv", "id,f\na,1\n").string();
    devices_ = folder_.write("devices.csv", "id,f\nd,2\n").string();
    read_both(accounts_, devices_);
    schema_ = table_schema_from_json(nlohmann::ordered_json::parse(to_json(schema_).dump()), "schema");
  }
  Dataset read_both(const std::string& first, const std::string& second) {
    options_.nodes = first + "," + second;
    return load_tables(options_, schema_);
  }
  std::string accounts_, devices_;
};

TEST_F(TwoTablesOfARun, AreMatchedByNameInAnyOrder) {
  const Dataset data = read_both(devices_, accounts_);
  EXPECT_TRUE(dense(data.features).equal(matrix({{1, 0}, {0, 2}})));
  EXPECT_EQ(data.type_names, (Names{"accounts", "devices"}));
  const std::vector<FeatureColumn> columns = feature_columns(options_, schema_, data, 2);
  EXPECT_EQ(columns[0].type, 0);
  EXPECT_EQ(columns[1].type, 1);
}

TEST_F(TwoTablesOfARun, AreThoseInTheirPlaceUnderOtherNames) {
  const std::string x = folder_.write("x.csv", "id,f\nd,3\n").string();
  const std::string y = folder_.write("y.csv", "id,f\na,4\n").string();
  EXPECT_EQ(read_both(x, y).type_names, (Names{"x", "y"}));
  EXPECT_EQ(read_both(accounts_, x).type_names, (Names{"accounts", "x"}));
  EXPECT_ERROR(read_both(y, accounts_),
               "accounts.csv: named like the run's node table 'accounts', but given in place of 'devices'");
  for (TableSchema::Table& table : schema_.tables) table.kind.clear();
  EXPECT_EQ(read_both(devices_, accounts_).type_names, (Names{"devices", "accounts"})) << "names were not recorded";
}

TEST_F(TablesOfARun, SayWhichColumnIsMissingOrNew) {
  EXPECT_ERROR(read("id,city,label\n0,rome,x\n"), "no column 'age' with numbers, which the run was trained on");
  EXPECT_ERROR(read("id,city,age,pets\n0,rome,1,2\n"), "nodes.csv:1: the run was trained without a column 'pets'");
  EXPECT_ERROR(read("id,city,agee\n0,rome,1\n"), "; did you mean 'agee'?");
  read("id,city,age\n0,1,1\n1,2,2\n");
  EXPECT_EQ(schema_.unseen, (std::map<std::string, int64_t>{{"city", 2}})) << "the run decides what a column holds";
  options_.nodes += "," + options_.nodes;
  EXPECT_ERROR(load_tables(options_, schema_), "2 node tables, but the run was trained on 1");
}

}  // namespace
}  // namespace geniepath
