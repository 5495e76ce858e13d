// Features read backwards: a node's cells are those of the user's tables.
#include "data/tables/table_cells.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "io/iso_date.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

struct LoadedTables {
  explicit LoadedTables(const std::string& accounts, const std::string& devices = "") {
    options.nodes = folder.write("accounts.csv", accounts).string();
    if (!devices.empty()) options.nodes += "," + folder.write("devices.csv", devices).string();
    options.edges = folder.write("edges.csv", "src,dst\na,b\n").string();
    options.missing = Missing::kMean;
    data = load_tables(options, schema);
  }
  TableCells cells() const { return {data, data.features, options, schema}; }

  testing::ScratchFolder folder;
  TableOptions options;
  TableSchema schema;
  Dataset data;
};

const FeatureColumn& column(const TableCells& cells, const std::string& name) {
  const auto found = std::ranges::find(cells.columns(), name, &FeatureColumn::name);
  EXPECT_NE(found, cells.columns().end()) << name;
  return *found;
}

constexpr const char* kAccounts =
    "id,logins,joined,country,label\n"
    "a,190,2024-05-01,Peru,x\n"
    "b,0.25,1969-12-31,,y\n"
    "c,,2000-02-29,Chile,x\n";

TEST(TableCells, AreThoseOfTheTable) {
  const LoadedTables tables(kAccounts);
  const TableCells cells = tables.cells();
  std::vector<std::string> names;
  for (const FeatureColumn& one : cells.columns()) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"logins", "joined", "country"}));
  const std::vector<std::vector<std::string>> expected{
      {"190", "2024-05-01", "Peru"}, {"0.25", "1969-12-31", ""}, {"", "2000-02-29", "Chile"}};
  for (NodeId node = 0; node < 3; ++node) {
    for (size_t c = 0; c < 3; ++c)
      EXPECT_EQ(cells.text(node, cells.columns()[c]), expected[static_cast<size_t>(node)][c]) << node;
  }
  EXPECT_FALSE(cells.number(2, column(cells, "logins")).has_value())
      << "an empty cell is read as the mean, but shown as empty";
  EXPECT_FALSE(cells.number(0, column(cells, "country")).has_value());
  EXPECT_EQ(*cells.number(0, column(cells, "logins")), 190);
}

TEST(TableCells, OfSeveralTablesBelongToTheirNodes) {
  const LoadedTables tables("id,logins,label\na,7,x\nc,0,y\n", "id,features,age\nb,1:2.5,3\n");
  const TableCells cells = tables.cells();
  const FeatureColumn &logins = column(cells, "logins"), &age = column(cells, "age"),
                      &pair = column(cells, "features 1");
  EXPECT_EQ(tables.data.type_names[*logins.type], "accounts");
  EXPECT_EQ(tables.data.type_names[*age.type], "devices");
  const NodeId a = 0, c = 1, b = 2;
  EXPECT_TRUE(cells.has(a, logins) && cells.has(b, age) && !cells.has(a, age) && !cells.has(b, logins));
  EXPECT_EQ(cells.text(a, logins), "7");
  EXPECT_EQ(cells.text(c, logins), "0");
  EXPECT_EQ(cells.text(b, age), "3");
  EXPECT_EQ(cells.text(b, pair), "2.5");
  EXPECT_EQ(cells.text(a, age), "");
}

TEST(TableCells, WithoutTablesEveryFeatureIsAColumn) {
  Dataset data;
  data.graph = Graph::from_edges(2, {}, {});
  data.features = Features(at::tensor({1.5f, 0.0f, -2.0f, 4.0f}).view({2, 2}));
  const TableCells cells(data, data.features, {}, {});
  ASSERT_EQ(cells.columns().size(), 2u);
  EXPECT_EQ(cells.columns()[1].name, "feature 1");
  EXPECT_EQ(cells.text(1, cells.columns()[0]), "-2");
  const TableCells made(data, Features(at::zeros({2, 7})), {}, {});  // as where features are made from the graph
  EXPECT_EQ(made.columns().size(), 2u);
  EXPECT_TRUE(feature_columns({}, {}, data, 100001).empty());
}

TEST(TableCells, DaysAreWrittenAsDates) {
  for (const char* day : {"1970-01-01", "2024-02-29", "0000-01-01", "9999-12-31", "1969-12-31"}) {
    EXPECT_EQ(iso_date(*parse_iso_date(day)), day);
  }
  EXPECT_EQ(iso_date(*parse_iso_date("2024-05-01T23:59")), "2024-05-01");
  EXPECT_EQ(iso_date(1e30), "");
  EXPECT_EQ(iso_date(std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace geniepath
