// Answers about one node beyond its paths: reasons, neighbours, ways to another node, and the same in another run.
#include "expect_refused.h"
#include "table_run.h"

namespace geniepath::serve {
namespace {

using Ids = std::vector<std::string>;
using testing::TableRun;

TEST(NodeAnswers, ReasonsShowTheNodesOwnCells) {
  const TableRun run;
  const auto reasons = run.get("/api/v1/nodes/a4/reasons");
  EXPECT_EQ(reasons["class"], "malicious");
  std::map<std::string, nlohmann::json> columns;
  double sum = reasons["features"]["gap"];
  for (const auto& column : reasons["features"]["columns"]) {
    columns[column["name"]] = column;
    sum += column["own"].get<double>() + column["others"].get<double>();
  }
  EXPECT_NEAR(sum, reasons["features"]["score"].get<double>() - reasons["features"]["typical"].get<double>(), 1e-4);
  EXPECT_EQ(columns["logins"]["value"], "4");
  EXPECT_EQ(columns["logins"]["numbers"]["number"], 4);
  EXPECT_NEAR(columns["logins"]["numbers"]["rank"], 0.45, 1e-9);  // of the training nodes' 0 .. 9
  EXPECT_EQ(columns["joined"]["value"], "1970-01-05");
  EXPECT_EQ(columns["country"]["value"], "Peru");
  EXPECT_EQ(columns["country"]["categories"][1], (nlohmann::json{{"value", "Peru"}, {"share", 0.3}}));
  EXPECT_EQ(columns["model"]["has"], false);
  EXPECT_TRUE(columns["model"]["value"].is_null());
  EXPECT_EQ(columns["model"]["own"], 0);
  EXPECT_EQ(reasons["features"]["compared"], 10);
  EXPECT_EQ(reasons["features"]["nodes"][0]["id"], "a4");
  EXPECT_REFUSED(run.get("/api/v1/nodes/nobody/reasons"), 404, "nobody");
  EXPECT_REFUSED(run.get("/api/v1/nodes/a4/reasons?top=501"), 400, "from 1 to 500");
}

TEST(NodeAnswers, NeighboursAreTheStrongestFirst) {
  const TableRun run;
  const auto all = run.get("/api/v1/nodes/d1/neighbours");
  EXPECT_EQ(all["total"], 4);
  ASSERT_EQ(all["edges"].size(), 4u);
  for (size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(all["edges"][n]["target"], "d1");
    EXPECT_EQ(all["edges"][n]["source"], all["nodes"][n]["id"]);
    if (n == 0) continue;
    EXPECT_GE(all["edges"][n - 1]["alpha"].back(), all["edges"][n]["alpha"].back());
  }
  EXPECT_EQ(run.get("/api/v1/nodes/d1/neighbours?limit=2")["edges"].size(), 2u);
  EXPECT_REFUSED(run.get("/api/v1/nodes/d1/neighbours?limit=0"), 400, "from 1 to 100");
}

TEST(NodeAnswers, RoutesAreTheShortestPaths) {
  const TableRun run;
  const auto way = run.get("/api/v1/nodes/a4/routes?to=a7");
  EXPECT_EQ(way["paths"], (std::vector<Ids>{{"a4", "d1", "a7"}}));
  EXPECT_EQ(way["all"], true);
  EXPECT_EQ(way["nodes"].size(), 3u);
  EXPECT_EQ(run.get("/api/v1/nodes/a4/routes?to=a9")["paths"].size(), 0u);  // another component
  EXPECT_EQ(run.get("/api/v1/nodes/a4/routes")["paths"], (std::vector<Ids>{{"a4"}}));
  EXPECT_REFUSED(run.get("/api/v1/nodes/a4/routes?to=nobody"), 404, "nobody");
  EXPECT_REFUSED(run.get("/api/v1/nodes/a4/routes?limit=51"), 400, "from 1 to 50");
}

TEST(NodeAnswers, AnotherRunAnswersBesideThisOne) {
  const TableRun run;
  EXPECT_REFUSED(run.get("/api/v1/other/model"), 404, "--other");
  EXPECT_TRUE(run.get("/api/v1/model")["other"].is_null());
  const auto both = run.served({"fine", "bad"}, run.served({}));
  const auto get = [&](const std::string& target) { return nlohmann::json::parse(both->get(parse_target(target))); };
  EXPECT_EQ(get("/api/v1/model")["other"], "run");
  EXPECT_EQ(get("/api/v1/nodes/a4/paths")["class"], "bad");  // as it was named
  EXPECT_EQ(get("/api/v1/other/nodes/a4/paths")["class"], "malicious");
  EXPECT_EQ(get("/api/v1/other/nodes/a4")["scores"][1]["score"], get("/api/v1/nodes/a4")["scores"][1]["score"]);
  EXPECT_NE(both->workers_for(parse_target("/api/v1/other/nodes/a4")), nullptr);
  EXPECT_REFUSED(get("/api/v1/other/other/model"), 404, "--other");
  EXPECT_REFUSED(get("/api/v1/other"), 404, "");
}

}  // namespace
}  // namespace geniepath::serve
