#include "training/neighbour_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.h"
#include "expect_error.h"

namespace geniepath::training {
namespace {

// A hub, 0, with many neighbours, and random edges.
Graph hub_graph(NodeId nodes = 2000) {
  Random random{3};
  std::vector<NodeId> source, target;
  for (NodeId i = 1; i < nodes; ++i) {
    source.insert(source.end(), {i, i, static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes)))});
    target.insert(target.end(), {0, static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes))), i});
  }
  return Graph::from_edges(nodes, source, target, {.symmetrise = true});
}

std::set<NodeId> drawn_for(const Neighbourhood& sampled, NodeId place) {
  std::set<NodeId> drawn;
  for (const NodeId j : sampled.incoming.neighbours(place)) drawn.insert(sampled.nodes[static_cast<size_t>(j)]);
  return drawn;
}

class Sampling : public ::testing::TestWithParam<Draw> {};

TEST_P(Sampling, DrawsEdgesOfTheGraphAtMostSoManyPerNode) {
  const Graph graph = hub_graph();
  const std::vector<int64_t> fan_out{4, 3};
  NeighbourSampler sampler(graph, fan_out, GetParam());
  const std::vector<NodeId> seeds{7, 0, 1999};
  const Neighbourhood sampled = sampler.sample(seeds, 1);
  ASSERT_TRUE(std::equal(seeds.begin(), seeds.end(), sampled.nodes.begin()));
  EXPECT_EQ(std::set<NodeId>(sampled.nodes.begin(), sampled.nodes.end()).size(), sampled.nodes.size());
  ASSERT_EQ(sampled.incoming.rows(), std::ssize(sampled.nodes));
  for (NodeId place = 0; place < sampled.incoming.rows(); ++place) {
    const auto drawn = sampled.incoming.neighbours(place);
    const auto all = graph.incoming().neighbours(sampled.nodes[static_cast<size_t>(place)]);
    EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
    EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end()) << "drawn twice";
    EXPECT_LE(std::ssize(drawn), 4);
    if (place < 3) {
      EXPECT_EQ(std::ssize(drawn), std::min<int64_t>(4, std::ssize(all)));
    }
    for (const NodeId j : drawn) {
      EXPECT_TRUE(std::binary_search(all.begin(), all.end(), sampled.nodes[static_cast<size_t>(j)]));
    }
  }
}

TEST_P(Sampling, IsAFunctionOfKeyAndNode) {
  const Graph graph = hub_graph();
  NeighbourSampler one(graph, {5, 5}, GetParam()), other(graph, {5, 5}, GetParam());
  const Neighbourhood first = one.sample(std::vector<NodeId>{0, 3}, 9);
  one.sample(std::vector<NodeId>{12, 700}, 4);
  const Neighbourhood again = one.sample(std::vector<NodeId>{0, 3}, 9),
                      apart = other.sample(std::vector<NodeId>{55, 0}, 9);
  EXPECT_EQ(again.nodes, first.nodes);
  EXPECT_EQ(drawn_for(apart, 1), drawn_for(first, 0)) << "whatever the other seeds";
  EXPECT_NE(drawn_for(one.sample(std::vector<NodeId>{0}, 10), 0), drawn_for(first, 0)) << "another key";
}

TEST_P(Sampling, DrawsEveryNeighbourEquallyOften) {
  constexpr NodeId kLeaves = 20;
  constexpr int kTimes = 4000;
  std::vector<NodeId> source, target(kLeaves, 0);
  for (NodeId leaf = 1; leaf <= kLeaves; ++leaf) source.push_back(leaf);
  const Graph star = Graph::from_edges(kLeaves + 1, source, target);
  NeighbourSampler sampler(star, {5}, GetParam());
  std::map<NodeId, int> times;
  for (uint64_t key = 0; key < kTimes; ++key) {
    for (const NodeId leaf : drawn_for(sampler.sample(std::vector<NodeId>{0}, key), 0)) ++times[leaf];
  }
  for (NodeId leaf = 1; leaf <= kLeaves; ++leaf)
    EXPECT_NEAR(times[leaf], kTimes / 4, 6 * 27.4) << leaf;  // 6 deviations
}

TEST_P(Sampling, ManyAndAllNeighbours) {
  const Graph graph = hub_graph();
  NeighbourSampler many(graph, {100}, GetParam()), all(graph, {kAllNeighbours, kAllNeighbours}, GetParam());
  EXPECT_EQ(std::ssize(drawn_for(many.sample(std::vector<NodeId>{0}, 2), 0)), 100);
  const Neighbourhood whole = all.sample(std::vector<NodeId>{0}, 2);
  EXPECT_EQ(std::ssize(whole.nodes), graph.num_nodes());
  EdgeId edges = 0;
  for (const NodeId node : whole.nodes) edges += graph.incoming().degree(node);
  EXPECT_EQ(whole.incoming.neighbour.size(), edges);
}

INSTANTIATE_TEST_SUITE_P(Draws, Sampling, ::testing::Values(Draw::kUniform, Draw::kLabor));

// 200 nodes that all have the same 200 neighbours: each for itself, they draw nearly all of these.
TEST(Labor, DrawsTheSameNeighboursForMany) {
  std::vector<NodeId> source, target, seeds;
  for (NodeId i = 0; i < 200; ++i) {
    seeds.push_back(i);
    for (NodeId j = 200; j < 400; ++j) source.push_back(j), target.push_back(i);
  }
  const Graph graph = Graph::from_edges(400, source, target);
  EXPECT_GT(NeighbourSampler(graph, {10}, Draw::kUniform).sample(seeds, 1).nodes.size(), 390u);
  EXPECT_EQ(NeighbourSampler(graph, {10}, Draw::kLabor).sample(seeds, 1).nodes.size(), 210u);
}

TEST(FanOut, IsNumbersOrAll) {
  EXPECT_EQ(parse_fan_out("10,all,5", "fan-out"), (std::vector<int64_t>{10, kAllNeighbours, 5}));
  for (const char* wrong : {"", "10,", "0", "-1", "10;5", "1e3", "1000001"}) {
    EXPECT_ERROR(parse_fan_out(wrong, "fan-out"), "option fan-out: '" + std::string(wrong) + "': expected numbers");
  }
}

}  // namespace
}  // namespace geniepath::training
