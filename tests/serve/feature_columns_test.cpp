// Features of unseen nodes by column name: the same numbers as from the run's tables.
#include "serve/feature_columns.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "expect_refused.h"
#include "geniepath/run.h"

namespace geniepath::serve {
namespace {

// A run on two node tables: people with a number, a date and a category, devices with a number.
RunDescription described() {
  RunDescription run;
  run.data.data = "tables";
  run.tables.nodes = "data/people.csv,devices.csv.gz";
  TableSchema::Table people, devices;
  people.numbers = {"amount", "joined"}, people.dates = {"joined"};
  people.one_hot = {{"country", {"Chile", "Peru"}}};
  devices.numbers = {"age"};
  run.schema.tables = {people, devices};
  run.schema.learned = true;
  run.features = 5;
  return run;
}

std::vector<NewNode> nodes_of(const FeatureColumns& columns, const std::string& nodes) {
  return parse_score_request("{\"nodes\": [" + nodes + "]}", columns.columns()).nodes;
}

TEST(FeatureColumns, AreListedWithKindsAndCategories) {
  const auto list = FeatureColumns(described()).json();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(nlohmann::json(list[0]),
            (nlohmann::json{
                {"name", "amount"}, {"kind", "number"}, {"categories", nlohmann::json::array()}, {"type", "people"}}));
  EXPECT_EQ(list[1]["kind"], "date");
  EXPECT_EQ(list[2]["categories"], (std::vector<std::string>{"Chile", "Peru"}));
  EXPECT_EQ(list[3]["type"], "devices");
  RunDescription generated = described();
  generated.data.data = "account-device";
  EXPECT_EQ(FeatureColumns(generated).json().size(), 0u);
}

TEST(FeatureColumns, NamesBecomeTheTablesFeatures) {
  const FeatureColumns columns(described());
  auto nodes = nodes_of(columns, R"({"id": "d", "type": "devices", "features": {"age": 7.5}},
      {"id": "n", "features": [0, 0, 0, 0, 2]},
      {"id": "p", "type": "people", "features": {"country": "Peru", "amount": 3, "joined": "1970-01-11"}},
      {"id": "q", "type": "people", "features": {"country": "Japan", "amount": "4e1", "joined": "1970-01-02"}})");
  const std::vector<std::string> notes = columns.read(nodes);
  EXPECT_EQ(notes,
            std::vector<std::string>{"column 'country': 1 cell holds a category unseen in training, read as empty"});
  using Columns = std::vector<int32_t>;
  using Values = std::vector<float>;
  EXPECT_EQ(nodes[0].column, Columns{4});
  EXPECT_EQ(nodes[0].value, Values{7.5f});
  EXPECT_EQ(nodes[1].value, (Values{0, 0, 0, 0, 2}));
  EXPECT_EQ(nodes[2].column, (Columns{0, 1, 3}));
  EXPECT_EQ(nodes[2].value, (Values{3, 10, 1}));
  EXPECT_EQ(nodes[3].column, (Columns{0, 1}));
  EXPECT_EQ(nodes[3].value, (Values{40, 1}));
}

TEST(FeatureColumns, SayWhichCellIsWrong) {
  const FeatureColumns columns(described());
  const auto read = [&](const std::string& node) {
    auto nodes = nodes_of(columns, node);
    columns.read(nodes);
  };
  EXPECT_REFUSED(read(R"({"id": "p", "type": "people", "features": {"amout": 3}})"), 422, "did you mean 'amount'?");
  EXPECT_REFUSED(read(R"({"id": "p", "type": "people", "features": {"amount": "much", "joined": "1970-01-11"}})"), 422,
                 "nodes[0].features: column 'amount' holds 'much', expected a number");
  EXPECT_REFUSED(read(R"({"id": "p", "type": "people", "features": {"amount": 3}})"), 422, "column 'joined' is empty");
  EXPECT_REFUSED(read(R"({"id": "p", "type": "people", "features": {"amount": true}})"), 422,
                 "a number, a text or null");
  EXPECT_REFUSED(read(R"({"id": "p", "type": "person", "features": {"amount": 3}})"), 422, "people, devices");
  EXPECT_REFUSED(read(R"({"id": "p", "features": {"amount": 3}})"), 422, "'type'");
  EXPECT_REFUSED(read(R"({"id": "p", "type": "people", "features": 3})"), 422, "a list of numbers, or an object");
}

TEST(FeatureColumns, OneTableNeedsNoType) {
  RunDescription run = described();
  run.tables.nodes = "people.csv";
  run.schema.tables.pop_back();
  run.tables.missing = Missing::kZero;
  const FeatureColumns columns(run);
  EXPECT_TRUE(columns.json()[0]["type"].is_null());
  auto nodes = nodes_of(columns, R"({"id": "p", "features": {"country": "Chile", "amount": null}})");
  EXPECT_TRUE(columns.read(nodes).empty());
  EXPECT_EQ(nodes[0].column, std::vector<int32_t>{2});
  EXPECT_REFUSED(nodes_of(columns, R"({"id": "p", "type": "people", "features": {}})"), 422, "unknown key");
}

}  // namespace
}  // namespace geniepath::serve
