// Verdicts and shares are computed: every number in them can be found again.
#include "report/reasons.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "explain/small_models.h"
#include "found_text.h"
#include "report/numbers.h"
#include "report/verdict.h"

namespace geniepath::report {
namespace {

using namespace geniepath::testing;
using geniepath::testing::contains;

// Accounts 0 .. 19 and devices 20 .. 39 around them; three features.
Dataset accounts_and_devices() {
  Dataset data = data_on(both_ways(random_graph(40, 60, 4)));
  data.type_names = {"account", "device"};
  for (NodeId node = 0; node < 40; ++node) {
    data.node_type.push_back(node >= 20);
    if (node < 15) data.train.push_back(node);
  }
  data.task = Task::kBinary, data.num_classes = 2;
  data.labels = at::arange(40, at::kLong).remainder(2);
  return data;
}

struct Explained {
  explicit Explained(Dataset made = accounts_and_devices(), double threshold = 0.5,
                     std::vector<std::string> classes = {"normal", "malicious"})
      : data(std::move(made)),
        model(make_model(attending("geniepath"), kFeatures, data.task == Task::kBinary ? 1 : data.num_classes, 3)),
        explainer((sharpen(), model), data),
        facts(data, explainer, std::move(classes), threshold),
        columns(data, data.features, {}, {}) {}

  void sharpen() const {
    const at::NoGradGuard no_grad;
    for (at::Tensor& weight : model->parameters()) weight.mul_(1.8);
  }
  Reasons reasons(NodeId node) const { return reasons_of(facts, explainer, explainer.explain(node, {}), columns); }

  Dataset data;
  std::shared_ptr<Model> model;
  Explainer explainer;
  NodeFacts facts;
  Columns columns;
};

TEST(Reasons, SharesOfColumnsAndOfNodesBothAddUp) {
  const Explained all;
  for (const NodeId node : {0, 7, 21}) {
    const auto shares = all.reasons(node).features;
    ASSERT_TRUE(shares);
    double columns = 0, nodes = 0;
    for (const ColumnShare& share : shares->columns) columns += share.own + share.others;
    for (const double share : shares->nodes) nodes += share;
    EXPECT_NEAR(columns, shares->score - shares->typical - shares->gap, 1e-5);
    EXPECT_NEAR(nodes, columns, 1e-5);
    EXPECT_NEAR(shares->score, all.facts.scores(node)[1], 1e-6);
    for (size_t c = 1; c < shares->columns.size(); ++c)
      EXPECT_GE(shares->columns[c - 1].size(), shares->columns[c].size());
  }
}

// Each node is compared with its own kind, by the features of training nodes where there are any.
TEST(Reasons, TypicalColumnsAreTheMeansOfTheKind) {
  const Explained all;
  const at::Tensor x = all.data.features.dense();
  EXPECT_TRUE(at::allclose(all.columns.typical.mean(3), x.narrow(0, 0, 15).mean(0), 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(all.columns.typical.mean(30), x.narrow(0, 20, 20).mean(0), 1e-5, 1e-6));
  EXPECT_EQ(all.columns.typical.count(3), 15);
  EXPECT_EQ(all.columns.typical.count(30), 20);
}

TEST(Reasons, HistogramsAndRanksAreThoseOfTheValues) {
  Dataset data = data_on(Graph::from_edges(5, {}, {}));
  data.features = Features(at::tensor({0.f, 0.f, -1.f, 2.f, 5.f}).view({5, 1}));
  const TableCells cells(data, data.features, {}, {});
  const TypicalNodes typical(data, cells);
  const FeatureColumn& column = cells.columns()[0];
  const Histogram found = typical.histogram(0, column);
  EXPECT_EQ(found.median, 0);
  EXPECT_EQ(found.low, -1);
  EXPECT_EQ(found.high, 2);  // 5 is beyond the 99th percentile of five values
  EXPECT_EQ(std::accumulate(found.counts.begin(), found.counts.end(), int64_t{0}), 5);
  EXPECT_EQ(found.counts.front(), 1);
  EXPECT_EQ(found.counts.back(), 2);
  EXPECT_DOUBLE_EQ(typical.rank(0, column, -3).middle(), 0);
  EXPECT_DOUBLE_EQ(typical.rank(0, column, 0).below, 0.2);
  EXPECT_DOUBLE_EQ(typical.rank(0, column, 0).equal, 0.4);
  EXPECT_DOUBLE_EQ(typical.rank(0, column, 0).middle(), 0.4);
  EXPECT_DOUBLE_EQ(typical.rank(0, column, 2).middle(), 0.7);
  EXPECT_DOUBLE_EQ(typical.rank(0, column, 9).middle(), 1);
  data.features = Features(at::zeros({5, 1}));
  const TableCells zeros(data, data.features, {}, {});
  const Histogram flat = TypicalNodes(data, zeros).histogram(0, column);
  EXPECT_LT(flat.low, flat.high);
}

// The neighbours named are the fewest, in their order, that change the prediction.
TEST(Verdict, NamesNeighboursWithoutWhichThePredictionIsAnother) {
  const Explained all;
  int decided = 0;
  for (NodeId node = 0; node < 40; ++node) {
    const Reasons reasons = all.reasons(node);
    const auto predicted = all.facts.predicted(all.facts.scores(node));
    const std::string opening = predicted[0] == "malicious" ? "Flagged as malicious, " : "Not flagged as malicious, ";
    EXPECT_TRUE(reasons.verdict.starts_with(opening + fixed(all.facts.scores(node)[1], 3))) << reasons.verdict;
    if (reasons.neighbours.empty()) {
      EXPECT_FALSE(reasons.without);
      EXPECT_TRUE(contains(reasons.verdict, all.facts.degree(node) == 0 ? "no neighbours" : "No neighbour decides"))
          << reasons.verdict;
      continue;
    }
    const auto without = all.facts.scores(all.explainer.without_neighbours(node, reasons.neighbours));
    EXPECT_NEAR(*reasons.without, without[1], 1e-9);
    EXPECT_TRUE(contains(reasons.verdict, fixed(without[1], 3))) << reasons.verdict;
    EXPECT_TRUE(contains(reasons.verdict, all.facts.id(reasons.neighbours[0]))) << reasons.verdict;
    if (!contains(reasons.verdict, " decide")) continue;
    ++decided;
    EXPECT_NE(all.facts.predicted(without), predicted);
    std::vector<NodeId> fewer = reasons.neighbours;
    fewer.pop_back();
    EXPECT_EQ(all.facts.predicted(all.facts.scores(all.explainer.without_neighbours(node, fewer))), predicted);
  }
  EXPECT_GT(decided, 0) << "no node was decided by its neighbours";
}

// Whether a neighbour decides is about the label that the verdict names, whatever becomes of the others. Thresholds
// just below the second largest score, above the largest one, and in between.
TEST(Verdict, IsAboutTheLabelThatItNames) {
  Dataset data = accounts_and_devices();
  data.task = Task::kMultiLabel, data.num_classes = 4;
  data.labels = at::ones({40, 4});
  const Explained first(data, 0.5, {"a", "b", "c", "d"});
  int decided = 0, others = 0;
  for (NodeId node = 0; node < 40; ++node) {
    const auto full = first.facts.scores(node);
    auto sorted = full;
    std::ranges::sort(sorted, std::greater<>());
    const size_t shown = first.facts.telling_class(node);
    for (const double threshold : {sorted[1] - 1e-4, (sorted[0] + sorted[1]) / 2, sorted[0] + 1e-3}) {
      const NodeFacts facts(data, first.explainer, {"a", "b", "c", "d"}, threshold);
      const Explanation explanation = first.explainer.explain(node, {});
      const Deciding deciding = deciding_neighbours(facts, first.explainer, explanation);
      const std::string text = verdict(facts, explanation, deciding);
      const char* opening = threshold > sorted[0] ? "Nothing is predicted; the likeliest label is " : "Predicted ";
      EXPECT_TRUE(text.starts_with(opening + facts.classes()[shown] + ", ")) << text;
      if (deciding.neighbours.empty()) continue;
      const auto without = facts.scores(first.explainer.without_neighbours(node, deciding.neighbours));
      const bool changes = (without[shown] > threshold) != (full[shown] > threshold);
      EXPECT_EQ(contains(text, " decide"), changes) << text;
      decided += changes;
      others += !changes && facts.predicted(without) != facts.predicted(full);
    }
  }
  EXPECT_GT(decided, 0);
  EXPECT_GT(others, 0) << "no other label changes without neighbours that matter";
}

// The data's words for kinds of nodes may be singular, plural or both: only a plain plural is taken apart.
TEST(Verdict, NamesKindsOfNodesAsFarAsGrammarAllows) {
  const auto verdicts_of = [](const char* accounts, const char* devices) {
    Dataset data = accounts_and_devices();
    data.type_names = {accounts, devices};
    const Explained all(data);
    std::string verdicts;
    for (NodeId node = 0; node < 40; ++node) verdicts += all.reasons(node).verdict + "\n";
    return verdicts;
  };
  for (const auto& [accounts, devices] : std::vector<std::pair<const char*, const char*>>{
           {"people", "address"}, {"status", "series"}, {"account", "buses"}, {"gas", "companies"}}) {
    const std::string verdicts = verdicts_of(accounts, devices);
    EXPECT_TRUE(contains(verdicts, " (" + std::string(accounts) + ")")) << verdicts;
    for (const char* wrong : {"peoples", "addres ", "statu ", "serie ", "buse ", "ga ", "companie "}) {
      EXPECT_FALSE(contains(verdicts, wrong)) << verdicts;
    }
  }
  const std::string verdicts = verdicts_of("accounts", "devices");
  EXPECT_TRUE(contains(verdicts, " The device ")) << verdicts;
  EXPECT_TRUE(contains(verdicts, " other account")) << verdicts;
}

TEST(Verdict, SaysThatANumberIsAClass) {
  for (const std::string name : {"1", "-1", "+1"}) {
    const Explained all(accounts_and_devices(), 0.5, {"0", name});
    EXPECT_TRUE(contains(all.reasons(3).verdict, "lagged as class " + name + ", ")) << all.reasons(3).verdict;
  }
  const Explained minus(accounts_and_devices(), 0.5, {"0", "-"});
  EXPECT_TRUE(contains(minus.reasons(3).verdict, "lagged as -, ")) << minus.reasons(3).verdict;
}

// The sentence never denies what the listed paths do.
TEST(Verdict, SaysWhatTheListedPathsDoWhereNoNeighbourDecides) {
  const Explained all;
  const NodeId node = 3;
  ASSERT_GT(all.facts.degree(node), 0);
  Explanation explanation = all.explainer.explain(node, {});
  const double score = all.facts.scores(node)[1];
  const auto with = [&](double other) {
    explanation.faithfulness.dropped = at::full_like(explanation.faithfulness.full, other);
    return verdict(all.facts, explanation, {});
  };
  EXPECT_TRUE(contains(with(score + 0.001), " No neighbour decides: without the listed paths the score is "))
      << with(score + 0.001);
  const double flipped = score >= 0.5 ? 0.02 : 0.98;
  EXPECT_TRUE(
      contains(with(flipped), "but the listed paths decide together: without them the score is " + fixed(flipped, 3)))
      << with(flipped);
  const double further = score >= 0.5 ? 0.99 : 0.01;
  ASSERT_GT(std::abs(further - score), 0.11);
  EXPECT_TRUE(
      contains(with(further), "but the listed paths matter together: without them the score is " + fixed(further, 3)))
      << with(further);
}

TEST(Verdict, CountsWhomTheNeighboursAreSharedWith) {
  const Explained all;
  for (NodeId node = 0; node < 40; ++node) {
    const Reasons reasons = all.reasons(node);
    const size_t at = reasons.verdict.find("shared with ");
    if (at == std::string::npos) continue;
    std::set<NodeId> others;
    for (const NodeId neighbour : reasons.neighbours) {
      for (const NodeId other : all.data.graph.incoming().neighbours(neighbour)) others.insert(other);
    }
    others.erase(node);
    for (const NodeId neighbour : reasons.neighbours) others.erase(neighbour);
    const auto malicious = std::ranges::count_if(others, [](NodeId other) { return other % 2 == 1; });
    EXPECT_TRUE(contains(reasons.verdict, "shared with " + std::to_string(others.size()) + " other "))
        << reasons.verdict;
    EXPECT_TRUE(contains(reasons.verdict,
                         (malicious == 0 ? "none" : std::to_string(malicious)) + " of them labelled malicious"))
        << reasons.verdict;
    return;
  }
  FAIL() << "no verdict names whom neighbours are shared with";
}

TEST(Verdict, SaysWhereAttentionSaysNothing) {
  Dataset data = accounts_and_devices();
  data.features = Features(at::ones({40, kFeatures}));  // all alike: attention is even
  const Explained all(data);
  const Reasons reasons = all.reasons(0);
  EXPECT_TRUE(contains(reasons.verdict, "nearly alike")) << reasons.verdict;
  EXPECT_TRUE(contains(reasons.verdict, "None of its own columns")) << reasons.verdict;
}

TEST(Verdict, ANodeAloneIsDecidedByItsColumns) {
  const Explained all([] {
    Dataset data = accounts_and_devices();
    data.graph = Graph::from_edges(40, {}, {});
    return data;
  }());
  EXPECT_TRUE(contains(all.reasons(4).verdict, "It has no neighbours: its own columns alone decide."))
      << all.reasons(4).verdict;
}

TEST(Reasons, TextsFromDataAreEscapedInPages) {
  Dataset data = accounts_and_devices();
  for (NodeId node = 0; node < 40; ++node) data.node_names.push_back("<b>" + std::to_string(node));
  const Explained all(data);
  for (const NodeId node : {0, 1, 2, 3}) {
    const Reasons reasons = all.reasons(node);
    EXPECT_FALSE(contains(reasons_html(reasons, all.columns, node), "<b>"));
    EXPECT_EQ(reason_lines(reasons, all.columns, node)[0], reasons.verdict);
  }
}

}  // namespace
}  // namespace geniepath::report
