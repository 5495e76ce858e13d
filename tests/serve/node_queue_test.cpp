// The queue of all nodes: filters, order, pages, search by any column, and its table.
#include "expect_refused.h"
#include "table_run.h"

namespace geniepath::serve {
namespace {

using Ids = std::vector<std::string>;
using testing::TableRun;

Ids sorted(Ids ids) {
  std::ranges::sort(ids);
  return ids;
}

TEST(NodeQueue, IsSortedAndComesInPages) {
  const TableRun run;
  const auto all = run.get("/api/v1/queue?limit=100");
  ASSERT_EQ(all["total"], 25);
  for (size_t n = 1; n < 25; ++n) EXPECT_GE(all["nodes"][n - 1]["score"], all["nodes"][n]["score"]);
  Ids pages;
  for (const char* offset : {"0", "10", "20", "30"}) {
    const auto page = run.get(std::string("/api/v1/queue?limit=10&offset=") + offset);
    EXPECT_EQ(page["total"], 25);
    for (const auto& node : page["nodes"]) pages.push_back(node["id"]);
  }
  EXPECT_EQ(pages, run.queue(""));
  Ids reversed = run.queue("order=up");
  std::ranges::reverse(reversed);
  EXPECT_EQ(reversed, run.queue(""));
  EXPECT_EQ(run.queue("sort=id&order=up"), sorted(run.queue("")));
  EXPECT_EQ(run.get("/api/v1/queue?sort=degree&limit=1")["nodes"][0]["degree"], 4);  // a device
}

TEST(NodeQueue, FiltersByAttributes) {
  const TableRun run;
  EXPECT_EQ(run.queue("type=devices").size(), 5u);
  EXPECT_EQ(sorted(run.queue("split=test")), (Ids{"a15", "a16", "a17", "a18", "a19"}));
  EXPECT_EQ(run.queue("split=none").size(), 5u);
  EXPECT_EQ(run.queue("label=malicious").size(), 10u);
  EXPECT_EQ(sorted(run.queue("label=-")), (Ids{"d0", "d1", "d2", "d3", "d4"}));
  EXPECT_EQ(run.queue("label=nobody").size(), 0u);
  EXPECT_EQ(run.queue("predicted=malicious").size() + run.queue("predicted=normal").size(), 25u);
  const auto all = run.get("/api/v1/queue?limit=100")["nodes"];
  size_t above = 0, disagree = 0;
  for (const auto& node : all) {
    above += node["score"] >= 0.5;
    disagree += !node["label"].is_null() && node["label"] != node["predicted"];
  }
  EXPECT_EQ(run.queue("from=0.5").size(), above);
  EXPECT_EQ(run.queue("disagree=yes").size(), disagree);
}

TEST(NodeQueue, NodesThatTheirPathsDecideAreOfThoseTried) {
  const TableRun run;
  const auto tried = run.get("/api/v1/decided?limit=100");
  Ids by_change;
  for (const auto& node : tried["nodes"]) by_change.push_back(node["id"]);
  EXPECT_EQ(run.queue("sort=change"), by_change);
  for (const std::string& id : run.queue("decided=yes")) {
    const auto dropped = run.get("/api/v1/nodes/" + id + "/paths")["faithfulness"];
    EXPECT_NE(dropped["dropped"]["predicted"], dropped["full"]["predicted"]) << id;
  }
}

TEST(NodeQueue, SearchesAnyColumn) {
  const TableRun run;
  EXPECT_EQ(sorted(run.queue("q=a1")),
            (Ids{"a1", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19"}));
  EXPECT_EQ(run.queue("q=peru").size(), 5u);
  EXPECT_EQ(run.queue("q=country:PER").size(), 5u);
  EXPECT_EQ(sorted(run.queue("q=logins:0")), Ids{"a0"});
  EXPECT_EQ(sorted(run.queue("q=17")), Ids{"a17"});  // its id and its logins
  EXPECT_EQ(sorted(run.queue("q=logins%3E17")), (Ids{"a18", "a19"}));
  EXPECT_EQ(sorted(run.queue("q=logins%3C2")), (Ids{"a0", "a1"}));
  EXPECT_EQ(sorted(run.queue("q=joined%3C1970-01-03")), (Ids{"a0", "a1"}));
  EXPECT_EQ(run.queue("q=model:new").size(), 2u);
  EXPECT_EQ(run.queue("q=label:mali").size(), 10u);
  EXPECT_EQ(run.queue("q=type:dev").size(), 5u);
  EXPECT_EQ(run.queue("q=id:d4"), Ids{"d4"});
  EXPECT_EQ(sorted(run.queue("q=logins+%3E+17+")), (Ids{"a18", "a19"}));
  EXPECT_EQ(run.queue("q=joined:1970-01-0").size(), 9u);
  EXPECT_EQ(run.queue("q=logins:").size(), 20u);
  for (const char* nothing : {"q=zzz", "q=country:zzz", "q=label:zzz"})
    EXPECT_EQ(run.queue(nothing).size(), 0u) << nothing;
}

TEST(NodeQueue, RefusesASearchThatCannotFindAnything) {
  const TableRun run;
  EXPECT_REFUSED(run.queue("q=lgins%3E100"), 400, "no column is called 'lgins'; did you mean 'logins'?");
  EXPECT_REFUSED(run.queue("q=none:such"), 400, "one of the columns id, type, label, logins, joined, country, model");
  EXPECT_REFUSED(run.queue("q=%3A"), 400, "no column is called ''");
  EXPECT_REFUSED(run.queue("q=logins%3Eabc"), 400, "'abc' is not a number, as 'logins' holds | logins>10, <10 or :10");
  EXPECT_REFUSED(run.queue("q=LOGINS:abc"), 400, "'abc' is not a number");
  EXPECT_REFUSED(run.queue("q=logins%3E"), 400, "'' is not a number");
  EXPECT_REFUSED(run.queue("q=joined%3C12"), 400, "'12' is not a date");
  EXPECT_REFUSED(run.queue("q=joined:May"), 400, "joined>2024-05-01");
  EXPECT_REFUSED(run.queue("q=country%3E1"), 400,
                 "'country' holds text, which is neither smaller nor larger | country:TEXT");
  EXPECT_REFUSED(run.queue("q=label%3E0"), 400, "label:TEXT");
  EXPECT_REFUSED(run.text("/api/v1/queue.csv?q=none:such"), 400, "no column");
}

TEST(NodeQueue, IsSortedByAnyColumnWithEmptyCellsLast) {
  const TableRun run;
  const auto first = [](const Ids& ids, size_t count) {
    return Ids(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count));
  };
  EXPECT_EQ(first(run.queue("sort=column:logins"), 3), (Ids{"a19", "a18", "a17"}));
  EXPECT_EQ(first(run.queue("sort=column:logins&order=up"), 3), (Ids{"a0", "a1", "a2"}));
  EXPECT_EQ(first(run.queue("sort=column:joined"), 2), (Ids{"a19", "a18"}));
  for (const char* order : {"up", "down"}) {
    const Ids ids = run.queue(std::string("sort=column:logins&order=") + order);
    EXPECT_EQ(sorted({ids.begin() + 20, ids.end()}), (Ids{"d0", "d1", "d2", "d3", "d4"})) << order;
  }
  EXPECT_EQ(sorted(first(run.queue("sort=column:country&order=up"), 15)), sorted(run.queue("q=country:Chile")));
  EXPECT_EQ(sorted(first(run.queue("sort=column:country"), 5)), sorted(run.queue("q=country:Peru")));
  EXPECT_EQ(sorted(first(run.queue("sort=label&order=up"), 10)), sorted(run.queue("label=malicious")));
  EXPECT_EQ(sorted(first(run.queue("sort=split"), 5)), sorted(run.queue("split=valid")));
  EXPECT_EQ(sorted(first(run.queue("sort=type"), 5)), (Ids{"d0", "d1", "d2", "d3", "d4"}));
  EXPECT_EQ(run.get("/api/v1/queue?sort=predicted&order=up&limit=1")["nodes"][0]["predicted"][0], "malicious");
}

TEST(NodeQueue, ShowsTheCellsOfItsNodes) {
  const TableRun run;
  const auto page = run.get("/api/v1/queue?sort=column:logins&limit=2&offset=1");
  ASSERT_EQ(page["columns"].size(), 4u);
  EXPECT_EQ(page["columns"][1], (nlohmann::json{{"name", "joined"}, {"kind", "date"}}));
  EXPECT_EQ(page["cells"], (nlohmann::json{{"18", "1970-01-19", "Chile", ""}, {"17", "1970-01-18", "Chile", ""}}));
  EXPECT_EQ(run.get("/api/v1/queue?offset=25")["cells"], nlohmann::json::array());
}

TEST(NodeQueue, IsATableWithoutFormulas) {
  const TableRun run;
  const std::string table = run.text("/api/v1/queue.csv?sort=id&order=up");
  EXPECT_TRUE(table.starts_with("id,type,split,label,predicted,score,neighbours,logins,joined,country,model\n"))
      << table.substr(0, 200);
  EXPECT_EQ(std::ranges::count(table, '\n'), 26);
  EXPECT_NE(table.find("\na0,accounts,train,normal,"), std::string::npos);
  EXPECT_NE(table.find(",0,1970-01-01,Peru,\n"), std::string::npos);
  EXPECT_NE(table.find("'=old"), std::string::npos);
  EXPECT_EQ(table.find(",=old"), std::string::npos);
  const std::string two = run.text("/api/v1/queue.csv?limit=2");
  EXPECT_EQ(std::ranges::count(two, '\n'), 3);
}

TEST(NodeQueue, RefusesWhatItDoesNotKnow) {
  const TableRun run;
  EXPECT_REFUSED(run.get("/api/v1/queue?sort=luck"), 400,
                 "score, degree, id, change, type, split, label, predicted, column:NAME");
  EXPECT_REFUSED(run.get("/api/v1/queue?sort=column:lgins"), 400,
                 "did you mean 'logins'? | column: and one of logins, joined");
  EXPECT_REFUSED(run.get("/api/v1/queue?split=all"), 400, "train, valid, test, none");
  EXPECT_REFUSED(run.get("/api/v1/queue?from=2"), 400, "from 0 to 1");
  EXPECT_REFUSED(run.get("/api/v1/queue?limit=101"), 400, "from 1 to 100");
  EXPECT_REFUSED(run.get("/api/v1/queue?offset=-1"), 400, "from 0");
  EXPECT_REFUSED(run.text("/api/v1/queue.csv?limit=100001"), 400, "from 1 to 100000");
  EXPECT_REFUSED(run.text("/api/v1/queue.csv?offset=1"), 400, "offset");
  EXPECT_REFUSED(run.get("/api/v1/queue?q=" + std::string(513, 'x')), 400, "512 characters");
}

}  // namespace
}  // namespace geniepath::serve
