#include "walk/walker.h"

#include <gtest/gtest.h>

#include <map>

#include "expect_error.h"
#include "graphs_that_hurt.h"
#include "walk/negative_table.h"

namespace geniepath::walk {
namespace {

// 0 - 1, 0 - 2, 1 - 2, 1 - 3, 1 - 4: after a step from 0 to 1, node 2 is a neighbour of 0, nodes 3 and 4 are not.
Graph kite() {
  const std::vector<NodeId> source{0, 0, 1, 1, 1}, target{1, 2, 2, 3, 4};
  return Graph::from_edges(5, source, target, {.symmetrise = true});
}

double chi_square(const std::map<NodeId, double>& expected, const std::map<NodeId, int64_t>& found, double draws) {
  double sum = 0;
  for (const auto& [node, share] : expected) {
    const double gap = static_cast<double>(found.count(node) ? found.at(node) : 0) - share * draws;
    sum += gap * gap / (share * draws);
  }
  return sum;
}

// The third nodes of walks that begin with 0, 1.
std::map<NodeId, int64_t> third_nodes(const Walker& walker, int64_t& draws) {
  std::map<NodeId, int64_t> found;
  std::vector<NodeId> walk(3);
  draws = 0;
  for (uint64_t number = 0; number < 60000; ++number) {
    walker.walk(0, number, walk);
    if (walk[1] == 1) ++found[walk[2]], ++draws;
  }
  return found;
}

TEST(Walker, FollowsPAndQInDistribution) {
  const Graph graph = kite();
  for (const double p : {0.25, 1.0, 4.0}) {
    for (const double q : {0.25, 1.0, 4.0, 1e-4, 1e4}) {
      int64_t draws = 0;
      const auto found = third_nodes(Walker(graph, {p, q, 7}), draws);
      const double sum = 1 / p + 1 + 2 / q;
      const std::map<NodeId, double> expected{{0, 1 / p / sum}, {2, 1 / sum}, {3, 1 / q / sum}, {4, 1 / q / sum}};
      EXPECT_GT(draws, 29000);
      if (q == 1e4 || q == 1e-4) {  // too few counts in some cells for the statistic: only those that matter
        const NodeId likely = q > 1 ? 2 : 3;
        EXPECT_NEAR(static_cast<double>(found.at(likely)) / static_cast<double>(draws), expected.at(likely), 0.01);
        continue;
      }
      EXPECT_LT(chi_square(expected, found, static_cast<double>(draws)), 16.27) << "3 degrees of freedom, p = 0.001; p "
                                                                                << p << ", q " << q;
    }
  }
}

TEST(Walker, GoesAlongEdgesOnly) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const double q : {1.0, 0.5}) {
      const Walker walker(graph, {1, q, 3});
      std::vector<NodeId> walk(20);
      for (NodeId start = 0; start < std::min<NodeId>(graph.num_nodes(), 100); ++start) {
        const int64_t length = walker.walk(start, 0, walk);
        ASSERT_GE(length, 1) << name;
        EXPECT_EQ(walk[0], start);
        for (size_t i = 1; i < static_cast<size_t>(length); ++i) {
          const auto row = graph.outgoing().neighbours(walk[i - 1]);
          ASSERT_TRUE(std::find(row.begin(), row.end(), walk[i]) != row.end()) << name << ": " << walk[i - 1];
        }
        if (length < 20) {
          EXPECT_EQ(graph.outgoing().degree(walk[static_cast<size_t>(length) - 1]), 0) << name;
        }
      }
    }
  }
}

TEST(Walker, StaysWhereNoEdgeLeaves) {
  const Walker walker(Graph::from_edges(3, {}, {}), {0.5, 2, 1});
  std::vector<NodeId> walk(10, -1);
  EXPECT_EQ(walker.walk(2, 5, walk), 1);
  EXPECT_EQ(walk[0], 2);
}

TEST(Walker, DependsOnSeedStartAndNumberAlone) {
  const Graph graph = testing::random_graph(50, 600, 1);
  const Walker walker(graph, {0.5, 2, 9}), same(graph, {0.5, 2, 9}), other(graph, {0.5, 2, 10});
  std::vector<NodeId> a(40), b(40);
  walker.walk(3, 4, a);
  walker.walk(7, 1, b);  // in between
  same.walk(3, 4, b);
  EXPECT_EQ(a, b);
  same.walk(3, 5, b);
  EXPECT_NE(a, b);
  other.walk(3, 4, b);
  EXPECT_NE(a, b);
}

TEST(Walker, RefusesWhatIsNoWeight) {
  EXPECT_ERROR(Walker(kite(), {0, 1, 1}), "walks: p = 0 and q = 1, expected above 0");
  EXPECT_ERROR(Walker(kite(), {1, -2, 1}), "expected above 0");
}

TEST(NegativeTable, DrawsByDegreeToThreeQuarters) {
  const Graph graph = kite();
  const NegativeTable table(graph);
  const kernels::AliasSampler sampler = table.sampler();
  std::map<NodeId, int64_t> found;
  Random random{5};
  constexpr int kDraws = 100000;
  for (int n = 0; n < kDraws; ++n) ++found[sampler.draw(random.bits())];
  std::map<NodeId, double> expected;
  double sum = 0;
  for (NodeId node = 0; node < 5; ++node) {
    sum += expected[node] = std::pow(static_cast<double>(graph.outgoing().degree(node)), 0.75);
  }
  for (auto& [_, share] : expected) share /= sum;
  EXPECT_LT(chi_square(expected, found, kDraws), 18.47) << "4 degrees of freedom, p = 0.001";
}

TEST(NegativeTable, KeepsToItsPartAndDrawsEvenlyWhereNobodyHasEdges) {
  const std::vector<NodeId> zero{0}, one{1};
  const Graph graph = Graph::from_edges(6, zero, one, {.symmetrise = true});
  const NegativeTable table(graph, {3, 0, 1, 2, 4, 5}, {0, 1, 2, 4, 6});
  Random random{5};
  std::map<NodeId, int64_t> mixed, alone;
  for (int n = 0; n < 1000; ++n) {
    EXPECT_EQ(table.sampler(0).draw(random.bits()), 3);
    EXPECT_EQ(table.sampler(1).draw(random.bits()), 0);
    ++mixed[table.sampler(2).draw(random.bits())];
    ++alone[table.sampler(3).draw(random.bits())];
  }
  EXPECT_EQ(mixed[1], 1000) << "node 2 has no edge and is never drawn beside one that has";
  EXPECT_EQ(alone[4] + alone[5], 1000);
  EXPECT_NEAR(static_cast<double>(alone[4]), 500, 80) << "5 standard deviations";
}

}  // namespace
}  // namespace geniepath::walk
