#include "data/statistics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "small_dataset.h"

namespace geniepath {
namespace {

using testing::small_dataset;

TEST(Statistics, CountTheSmallGraph) {
  const DatasetStatistics s = statistics_of(small_dataset());
  EXPECT_EQ(s.nodes, 5);
  EXPECT_EQ(s.edges, 5);  // three of the triangle, the tail, the self-loop
  EXPECT_EQ(s.self_loops, 1);
  EXPECT_EQ(s.entries, 9);
  EXPECT_EQ(s.features, 3);
  EXPECT_EQ(s.classes, 2);
  EXPECT_EQ(s.graphs, 1);
  EXPECT_EQ(s.train, 2);
  EXPECT_EQ(s.valid, 1);
  EXPECT_EQ(s.test, 1);
  EXPECT_EQ(s.components, 2);
  EXPECT_EQ(s.max_degree, 3);  // the self-loop does not count
  EXPECT_EQ(s.isolated, 1);
  EXPECT_DOUBLE_EQ(s.density_of_features, 14.0 / 15);
}

TEST(Statistics, CountAnEdgeOnceHoweverItIsListed) {
  const std::vector<NodeId> source{0, 1, 0, 2, 2, 3}, target{1, 0, 1, 1, 2, 3};  // {0,1} three times, 2 -> 1, two loops
  Dataset data = small_dataset();
  data.graph = Graph::from_edges(5, source, target, {.merge_duplicates = false});
  const DatasetStatistics s = statistics_of(data);
  EXPECT_EQ(s.entries, 6);
  EXPECT_EQ(s.edges, 4);
  EXPECT_EQ(s.self_loops, 2);
  EXPECT_EQ(s.max_degree, 2);  // node 1: 0 and, against the arrow, 2
  EXPECT_EQ(s.isolated, 2);    // 3 has no neighbour but itself
}

TEST(Statistics, BinDegreesByPowersOfTwo) {
  std::vector<NodeId> source, target;
  for (NodeId leaf = 1; leaf <= 8; ++leaf) source.push_back(leaf), target.push_back(0);
  Dataset data;
  data.graph = Graph::from_edges(10, source, target, {.symmetrise = true});
  const auto histogram = statistics_of(data).degree_histogram;
  ASSERT_EQ(histogram.size(), 5u);
  EXPECT_EQ(histogram[0].nodes, 1);  // node 9
  EXPECT_EQ(histogram[1].nodes, 8);
  EXPECT_EQ(histogram[3].from, 4);
  EXPECT_EQ(histogram[3].to, 7);
  EXPECT_EQ(histogram[3].nodes, 0);
  EXPECT_EQ(histogram[4].from, 8);
  EXPECT_EQ(histogram[4].nodes, 1);
}

TEST(Statistics, OfNothingAreZero) {
  const DatasetStatistics s = statistics_of(Dataset());
  EXPECT_EQ(s.nodes + s.edges + s.components + s.max_degree, 0);
  EXPECT_EQ(s.density_of_features, 0);
}

TEST(Statistics, HaveTheirNamesInJson) {
  const auto json = to_json(statistics_of(small_dataset()));
  std::string keys;
  for (const auto& [key, _] : json.items()) keys += key + " ";
  EXPECT_EQ(keys,
            "nodes edges self_loops entries features classes graphs train valid test components max_degree isolated "
            "density_of_features degree_histogram ");
  EXPECT_EQ(json["degree_histogram"][2].dump(), R"({"from":2,"to":3,"nodes":3})");
}

}  // namespace
}  // namespace geniepath
