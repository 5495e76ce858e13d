#include "walk/skip_gram.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "graphs_that_hurt.h"
#include "walk/planted_graph.h"
#include "walk/walk_pairs.h"

namespace geniepath::walk {
namespace {

constexpr NodeId kHalf = 150;

at::Tensor embedding_of(const Graph& graph, int threads, uint64_t seed = 1, int64_t epochs = 5) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  const Walker walker(graph, {1, 1, seed});
  SkipGramOptions options{.length = 20, .window = 5, .dimensions = 16, .rate = 0.05, .seed = seed, .threads = threads};
  SkipGram skip_gram(graph, walker, options);
  for (int64_t epoch = 1; epoch <= epochs; ++epoch) skip_gram.run_epoch(epoch, epochs);
  at::set_num_threads(before);
  return skip_gram.center;
}

TEST(SkipGram, SeparatesPlantedCommunities) {
  const at::Tensor z = embedding_of(testing::planted_graph(kHalf, 8, 1, 3), 1, 1, 20);
  const at::Tensor first = z.narrow(0, 0, kHalf).mean(0), second = z.narrow(0, kHalf, kHalf).mean(0);
  const at::Tensor side = at::mv(z - (first + second) / 2, first - second) > 0;
  const auto right = side.narrow(0, 0, kHalf).sum().item<int64_t>() + kHalf -
                     side.narrow(0, kHalf, kHalf).sum().item<int64_t>();
  EXPECT_GT(right, 2 * kHalf * 0.97);
}

TEST(SkipGram, TheLossFalls) {
  const Graph graph = testing::planted_graph(kHalf, 8, 1, 3);
  const Walker walker(graph, {1, 1, 1});
  SkipGram skip_gram(graph, walker, {.length = 20, .window = 5, .dimensions = 16, .rate = 0.05});
  const double first = skip_gram.run_epoch(1, 5).loss;
  EXPECT_LT(first, 6 * std::log(2)) << "six coins before the first step";
  double last = first;
  for (int64_t epoch = 2; epoch <= 5; ++epoch) last = skip_gram.run_epoch(epoch, 5).loss;
  EXPECT_LT(last, first - 0.5);
}

TEST(SkipGram, BitsDoNotDependOnThreads) {
  const Graph graph = testing::planted_graph(600, 6, 2, 5);
  const Walker walker(graph, {1, 1, 1});
  EXPECT_EQ(SkipGram(graph, walker, {}).num_parts(), 9);
  const at::Tensor one = embedding_of(graph, 1, 1, 2);
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(one.equal(embedding_of(graph, threads, 1, 2))) << threads;
  EXPECT_FALSE(one.equal(embedding_of(graph, 1, 2, 2))) << "another seed";
}

TEST(SkipGram, RunsOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    EXPECT_TRUE(embedding_of(graph, 1, 1, 1).isfinite().all().item<bool>()) << name;
  }
}

TEST(SkipGram, RefusesTooManyNegatives) {
  const Graph graph = testing::planted_graph(5, 2, 1, 1);
  const Walker walker(graph, {});
  EXPECT_ERROR(SkipGram(graph, walker, {.negatives = 64}), "skip-gram: 64 negatives, expected 1 to 63");
}

TEST(Pairs, OfAWalkReachTheWindowAndNoFurther) {
  const std::vector<NodeId> walk{10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  std::vector<kernels::NodePair> pairs;
  int furthest = 0;
  for (uint64_t n = 0; n < 200; ++n) append_pairs(walk, 3, Random{n}, pairs);
  std::vector<int64_t> at_distance(10);
  for (const auto& pair : pairs) {
    ASSERT_NE(pair.center, pair.context);
    furthest = std::max(furthest, std::abs(pair.center - pair.context));
    ++at_distance[static_cast<size_t>(std::abs(pair.center - pair.context))];
  }
  EXPECT_EQ(furthest, 3);
  EXPECT_EQ(at_distance[1], 200 * 18) << "next nodes always";
  EXPECT_NEAR(static_cast<double>(at_distance[2]), 200 * 16 * 2.0 / 3, 120);
  EXPECT_NEAR(static_cast<double>(at_distance[3]), 200 * 14 / 3.0, 120);
}

TEST(WalkPairs, HaveTheWalkAsPositivesAndWeightsThatAddUpToOne) {
  const Graph graph = testing::planted_graph(40, 4, 1, 2);
  const Walker walker(graph, {1, 1, 1});
  const NegativeTable table(graph);
  const SparseMatrix pairs = draw_walk_pairs(graph, walker, table, {.window = 4, .negatives = 3}, 1);
  std::vector<NodeId> walk(5);
  double positives = 0, negatives = 0;
  for (NodeId u = 0; u < graph.num_nodes(); ++u) {
    walker.walk(u, 1, walk);
    std::vector<NodeId> seen, expected;
    for (int64_t at = pairs.offset[u]; at < pairs.offset[u + 1]; ++at) {
      EXPECT_NE(pairs.column[at], u);
      if (pairs.value[at] > 0) seen.push_back(pairs.column[at]), positives += pairs.value[at];
      if (pairs.value[at] < 0) negatives -= pairs.value[at];
    }
    for (size_t step = 1; step < walk.size(); ++step) {
      if (walk[step] != u) expected.push_back(walk[step]);
    }
    EXPECT_EQ(seen, expected);
  }
  EXPECT_NEAR(positives, 1, 1e-5);
  EXPECT_NEAR(negatives, 1, 0.25) << "a walk may come back to its start, whose negatives then stand alone";
  const Graph alone = Graph::from_edges(3, {}, {});
  const SparseMatrix none = draw_walk_pairs(alone, Walker(alone, {}), NegativeTable(alone), {}, 1);
  EXPECT_EQ(none.num_nonzeros(), 0);
}

}  // namespace
}  // namespace geniepath::walk
