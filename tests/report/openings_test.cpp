#include "report/openings.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "explain/small_models.h"
#include "found_text.h"
#include "report/model_sections.h"
#include "report/numbers.h"

namespace geniepath::report {
namespace {

using namespace geniepath::testing;

// 600 nodes with random labels and a sharp model, `tested` of them test nodes.
struct Opened {
  explicit Opened(Task task, NodeId tested) : data(data_on(both_ways(random_graph(600, 1200, 3)))) {
    data.task = task;
    data.num_classes = task == Task::kBinary ? 2 : kClasses;
    Random random{21};
    for (NodeId node = 0; node < 600; ++node) {
      data.labels[node] = static_cast<int64_t>(random.below(static_cast<uint64_t>(data.num_classes)));
    }
    data.test.resize(static_cast<size_t>(tested));
    std::iota(data.test.begin(), data.test.end(), NodeId{0});
    model = make_model(attending("geniepath"), kFeatures, task == Task::kBinary ? 1 : kClasses, 3);
    const at::NoGradGuard no_grad;
    for (at::Tensor& weight : model->parameters()) weight.mul_(2.5);
    explainer = std::make_unique<Explainer>(model, data);
    facts = std::make_unique<NodeFacts>(data, *explainer, std::vector<std::string>{"normal", "bad"});
  }

  double change(NodeId node) const {
    const size_t shown = facts->telling_class(node);
    const Faithfulness found = explainer->explain(node, options).faithfulness;
    return std::abs(facts->scores(found.full)[shown] - facts->scores(found.dropped)[shown]);
  }

  std::string kind(NodeId node) const {
    const bool bad = facts->labels(node)->front() == "bad", raised = facts->scores(node)[1] > facts->threshold();
    return bad ? (raised ? "Found" : "Missed") : (raised ? "False alarm" : "");
  }

  Dataset data;
  std::shared_ptr<Model> model;
  std::unique_ptr<Explainer> explainer;
  std::unique_ptr<NodeFacts> facts;
  ExplainOptions options;
};

std::vector<NodeId> ids(const std::vector<DecidedNode>& decided) {
  std::vector<NodeId> nodes;
  for (const DecidedNode& one : decided) nodes.push_back(one.node);
  return nodes;
}

TEST(Openings, TheLargestChangeComesFirst) {
  for (const Task task : {Task::kBinary, Task::kMultiClass}) {
    const Opened opened(task, 50);
    const std::vector<DecidedNode> decided = decided_nodes(*opened.facts, *opened.explainer, opened.options);
    ASSERT_EQ(decided.size(), 50u);
    EXPECT_GT(decided.front().change(), 0.2);
    for (size_t n = 0; n < decided.size(); ++n) {
      EXPECT_NEAR(decided[n].change(), opened.change(decided[n].node), 1e-6);
      EXPECT_LE(decided[n].change(), decided[n > 0 ? n - 1 : 0].change());
    }
    const std::vector<NodeId> nodes = ids(decided);
    EXPECT_EQ(std::set<NodeId>(nodes.begin(), nodes.end()).size(), 50u);
  }
}

TEST(Openings, OfManyNodesTheSameFewAreTried) {
  const Opened opened(Task::kMultiClass, 450);
  const auto decided = [&] { return ids(decided_nodes(*opened.facts, *opened.explainer, opened.options)); };
  const std::vector<NodeId> nodes = decided();
  EXPECT_EQ(nodes.size(), 200u);
  EXPECT_LT(std::ranges::max(nodes), 450);
  EXPECT_GT(std::ranges::max(nodes), 350);
  EXPECT_EQ(nodes, decided());
}

TEST(Openings, WithoutTestNodesAnyNodeMayBeTried) {
  const Opened opened(Task::kMultiClass, 0);
  const std::vector<NodeId> nodes = ids(decided_nodes(*opened.facts, *opened.explainer, opened.options));
  EXPECT_EQ(nodes.size(), 200u);
  EXPECT_GT(std::ranges::max(nodes), 500);
}

// Positive predictions are few where it matters, so half of the nodes tried are some of them.
TEST(Openings, HalfOfTheSampleIsPredictedPositive) {
  const Opened opened(Task::kBinary, 600);
  const at::Tensor sorted = std::get<0>(opened.explainer->probabilities().flatten().sort());
  const auto positive_of_200 = [&](int64_t positive) {
    const auto threshold = sorted[599 - positive].item<double>();
    const NodeFacts facts(opened.data, *opened.explainer, {"normal", "bad"}, threshold);
    const auto decided = decided_nodes(facts, *opened.explainer, opened.options);
    EXPECT_EQ(decided.size(), 200u);
    return std::ranges::count_if(decided, [&](const DecidedNode& one) { return one.score > threshold; });
  };
  EXPECT_EQ(positive_of_200(150), 100);
  EXPECT_EQ(positive_of_200(30), 30);
  EXPECT_EQ(positive_of_200(590), 190);  // 10 others
}

TEST(Openings, TheReportOpensWithTheMostDecidedOfEachKind) {
  const Opened opened(Task::kBinary, 120);
  std::map<std::string, double> largest;
  for (const NodeId node : opened.data.test) {
    if (opened.explainer->degree(node) < 2 || opened.kind(node).empty()) continue;
    largest[opened.kind(node)] = std::max(largest[opened.kind(node)], opened.change(node));
  }
  int64_t last = 0, all = 0;
  const auto progress = [&](int64_t tried, int64_t of) {
    EXPECT_EQ(tried, last + 1);
    last = tried, all = of;
  };
  const auto openings =
      report_openings(*opened.facts, *opened.explainer, report_samples(*opened.facts), opened.options, progress);
  EXPECT_EQ(last, all);
  ASSERT_EQ(openings.size(), 3u);
  for (const auto& [kind, opening] : openings) {
    EXPECT_EQ(opened.kind(opening.node), kind);
    EXPECT_NEAR(opening.change(), largest[kind], 1e-6) << kind;
  }
}

TEST(Openings, TheReportShowsTheChangeBesideTheNode) {
  const Opened opened(Task::kMultiClass, 60);
  ExplainOptions as_shown;
  as_shown.top = 40;
  const std::vector<ReportSample> samples = report_samples(*opened.facts);
  const auto openings = report_openings(*opened.facts, *opened.explainer, samples, as_shown);
  ASSERT_EQ(openings.size(), 2u);
  const Dataset& data = opened.facts->data();
  const std::string section =
      paths_section(*opened.facts, *opened.explainer, Columns(data, data.features, {}, {}), samples);
  for (const auto& [kind, opening] : openings) {
    const std::string heading = std::string("<h3>") + kind + ": " + std::to_string(opening.node) + ", " +
                                fixed(opening.score, 3) + "; without these paths " + fixed(opening.without, 3) +
                                "</h3>";
    EXPECT_TRUE(contains(section, heading)) << heading;
  }
}

}  // namespace
}  // namespace geniepath::report
