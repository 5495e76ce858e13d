#include "partition/stream_owners.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "partition/owners.h"
#include "training/small_data.h"

namespace geniepath::partition {
namespace {

// Communities of 100 nodes with 8 neighbours each inside and one outside, numbered at random.
Dataset communities(NodeId count) {
  const NodeId nodes = 100 * count;
  Random random{3};
  std::vector<NodeId> number(static_cast<size_t>(nodes)), source, target;
  std::iota(number.begin(), number.end(), 0);
  for (size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random.below(i)]);
  const auto add = [&](NodeId i, uint64_t begin, uint64_t among) {
    source.push_back(number[begin + random.below(among)]), target.push_back(number[static_cast<size_t>(i)]);
  };
  for (NodeId i = 0; i < nodes; ++i) {
    for (int n = 0; n < 8; ++n) add(i, static_cast<uint64_t>(i / 100 * 100), 100);
    add(i, 0, static_cast<uint64_t>(nodes));
  }
  Dataset data = testing::ring_data(1, nodes, false);
  data.graph = Graph::from_edges(nodes, source, target, {.symmetrise = true});
  return data;
}

double largest_share(const Dataset& data, const std::vector<int32_t>& owner, int64_t count) {
  std::vector<double> work(static_cast<size_t>(count), 0);
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i)
    work[static_cast<size_t>(owner[static_cast<size_t>(i)])] += work_of(data.graph, i);
  return *std::ranges::max_element(work) * static_cast<double>(count) / std::reduce(work.begin(), work.end());
}

double cut_share(const Dataset& data, const std::vector<int32_t>& owner) {
  return static_cast<double>(cut_entries(data.graph, owner)) / static_cast<double>(data.graph.num_edges());
}

// Dividing at random cuts 3 of 4 edges, the communities alone about 1 of 9.
TEST(StreamOwners, FindCommunities) {
  const Dataset data = communities(40);
  const std::vector<int32_t> owner = streamed_owners(data, 4);
  EXPECT_LE(largest_share(data, owner, 4), 1.03);
  EXPECT_LT(cut_share(data, owner), 0.25);
  EXPECT_EQ(owner, streamed_owners(data, 4));
}

TEST(StreamOwners, KeepRangesThatCutLittle) {
  const Dataset data = testing::ring_data(1, 4000, false);
  const std::vector<int32_t> owner = streamed_owners(data, 4);
  EXPECT_LE(cut_entries(data.graph, owner), 4);
  EXPECT_LE(largest_share(data, owner, 4), 1.03);
}

TEST(StreamOwners, KeepComponentsWhole) {
  const Dataset data = testing::ring_data(8, 20, false);
  const std::vector<int32_t> owner = streamed_owners(data, 4);
  EXPECT_EQ(cut_entries(data.graph, owner), 0);
  EXPECT_LE(largest_share(data, owner, 4), 1.03);
}

// One ring of training nodes, one for validation, one for testing: each process has its share of the first.
TEST(StreamOwners, DivideTrainingGraphsByThemselves) {
  const Dataset data = testing::ring_data(3, 200, true);
  const std::vector<int32_t> owner = streamed_owners(data, 2);
  int first = 0;
  for (const NodeId node : data.train) first += owner[static_cast<size_t>(node)] == 0;
  EXPECT_NEAR(first, 100, 4);
}

TEST(StreamOwners, OfTheSmallestGraphs) {
  EXPECT_TRUE(streamed_owners(testing::ring_data(0, 0, false), 3).empty());
  const std::vector<int32_t> owner = streamed_owners(testing::ring_data(1, 2, false), 5);
  EXPECT_EQ(owner.size(), 2u);
  for (const int32_t piece : owner) EXPECT_TRUE(piece >= 0 && piece < 5);
  const std::vector<int32_t> many = streamed_owners(communities(2), 64);
  EXPECT_TRUE(std::ranges::all_of(many, [](int32_t piece) { return piece >= 0 && piece < 64; }));
}

TEST(StreamOwners, SayWhatTheyDo) {
  std::vector<std::string> said;
  streamed_owners(communities(10), 2, [&](const std::string& text) { said.push_back(text); });
  ASSERT_GE(said.size(), 3u);
  EXPECT_EQ(said[1], "placing nodes: pass 1 of 10");
  EXPECT_NE(said.back().find("% of the edges cut"), std::string::npos) << said.back();
}

}  // namespace
}  // namespace geniepath::partition
