#include "geniepath/graph.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "expect_error.h"

namespace geniepath {
namespace {

using Ids = std::vector<NodeId>;

Ids row(const Adjacency& rows, NodeId r) {
  const auto list = rows.neighbours(r);
  return {list.begin(), list.end()};
}

TEST(Graph, RowsAreByDestinationAndAscending) {
  const Graph g = Graph::from_edges(4, Ids{3, 1, 0, 2}, Ids{0, 0, 2, 0});
  EXPECT_EQ(row(g.incoming(), 0), (Ids{1, 2, 3}));
  EXPECT_EQ(row(g.incoming(), 1), Ids{});
  EXPECT_EQ(row(g.incoming(), 2), Ids{0});
  EXPECT_EQ(row(g.outgoing(), 0), Ids{2});
  EXPECT_EQ(row(g.outgoing(), 3), Ids{0});
}

TEST(Graph, IdsMayHave64Bits) {
  const std::vector<int64_t> source{3, 1, 0, 2, 2}, target{0, 0, 2, 0, 2};
  const GraphOptions both{.symmetrise = true, .self_loops = SelfLoops::kRemove};
  const Graph wide = Graph::from_wide_edges(4, source, target, both);
  const Graph graph = Graph::from_edges(4, Ids(source.begin(), source.end()), Ids(target.begin(), target.end()), both);
  for (NodeId r = 0; r < 4; ++r) EXPECT_EQ(row(wide.incoming(), r), row(graph.incoming(), r)) << r;
  EXPECT_EQ(wide.num_nodes(), 4);
  const std::vector<int64_t> beyond{0, int64_t{1} << 32};  // 0 in its last 32 bits
  EXPECT_ERROR(Graph::from_wide_edges(4, beyond, std::vector<int64_t>{1, 1}),
               "edge 1 (4294967296 -> 1) names node 4294967296");
}

TEST(Graph, OptionsSymmetriseLoopAndMerge) {
  const Ids source{0, 0, 1, 2}, target{1, 1, 0, 2};
  const Graph kept = Graph::from_edges(3, source, target, {.merge_duplicates = false});
  EXPECT_EQ(row(kept.incoming(), 1), (Ids{0, 0}));
  EXPECT_EQ(kept.num_self_loops(), 1);
  const Graph looped = Graph::from_edges(3, source, target, {.symmetrise = true, .self_loops = SelfLoops::kAdd});
  EXPECT_EQ(looped.num_edges(), 5);
  EXPECT_EQ(looped.num_self_loops(), 3);
  EXPECT_TRUE(looped.is_symmetric());
  EXPECT_EQ(looped.with({.self_loops = SelfLoops::kRemove}).num_edges(), 2);
  EXPECT_FALSE(Graph::from_edges(2, Ids{0}, Ids{1}).is_symmetric());
}

TEST(Graph, IsSymmetricWhereItIsItsTranspose) {
  const Ids twice{0, 0, 1, 1}, back{1, 1, 0, 0};
  EXPECT_TRUE(Graph::from_edges(2, twice, back, {.merge_duplicates = false}).is_symmetric());
  EXPECT_FALSE(Graph::from_edges(2, Ids{0, 0, 1}, Ids{1, 1, 0}, {.merge_duplicates = false}).is_symmetric());
  EXPECT_TRUE(Graph().is_symmetric());
  Ids source, target;
  for (NodeId i = 0; i < 20; ++i) {
    for (const NodeId j : {(i + 3) % 20, (7 * i) % 20})
      source.insert(source.end(), {i, j}), target.insert(target.end(), {j, i});
  }
  for (size_t edges = source.size(); edges > 0; --edges) {
    const Graph graph = Graph::from_edges(20, {source.data(), edges}, {target.data(), edges});
    const auto& in = graph.incoming().neighbour;
    const auto& out = graph.outgoing().neighbour;
    bool same = std::equal(in.begin(), in.end(), out.begin());
    for (NodeId i = 0; i < 20; ++i) same = same && graph.incoming().degree(i) == graph.outgoing().degree(i);
    EXPECT_EQ(graph.is_symmetric(), same) << edges;
  }
}

TEST(Graph, OutgoingEdgesNameTheirIncomingPosition) {
  Random random{5};
  Ids source, target;
  for (int e = 0; e < 500; ++e) {
    source.push_back(static_cast<NodeId>(random.below(40)));
    target.push_back(static_cast<NodeId>(random.below(40)));
  }
  const Graph g = Graph::from_edges(40, source, target);
  EdgeId seen = 0;
  for (NodeId j = 0; j < 40; ++j) {
    for (EdgeId at = g.outgoing().offset[j]; at < g.outgoing().offset[j + 1]; ++at, ++seen) {
      const EdgeId e = g.outgoing_edge()[at];
      EXPECT_EQ(g.incoming().neighbour[e], j);
      const NodeId i = g.outgoing().neighbour[at];
      EXPECT_LE(g.incoming().offset[i], e);
      EXPECT_LT(e, g.incoming().offset[i + 1]);
    }
  }
  EXPECT_EQ(seen, g.num_edges());
}

// Edges in several buckets and chunks, hubs among them, as built by a set.
class LargeGraph : public ::testing::Test {
 protected:
  static constexpr NodeId kNodes = 5000;
  void SetUp() override {
    Random random{9};
    for (int e = 0; e < 200000; ++e) {
      const NodeId hub = e % 3 == 0 ? 4321 : static_cast<NodeId>(random.below(kNodes));
      source_.push_back(static_cast<NodeId>(random.below(kNodes)));
      target_.push_back(hub);
    }
  }
  void TearDown() override { at::set_num_threads(threads_); }

  std::vector<std::vector<NodeId>> expected(const GraphOptions& options) const {
    std::vector<std::multiset<NodeId>> rows(kNodes);
    for (size_t e = 0; e < source_.size(); ++e) {
      const NodeId s = source_[e], t = target_[e];
      if (s == t && options.self_loops != SelfLoops::kKeep) continue;
      rows[static_cast<size_t>(t)].insert(s);
      if (options.symmetrise && s != t) rows[static_cast<size_t>(s)].insert(t);
    }
    std::vector<std::vector<NodeId>> lists;
    for (NodeId i = 0; i < kNodes; ++i) {
      auto& row = rows[static_cast<size_t>(i)];
      if (options.self_loops == SelfLoops::kAdd) row.insert(i);
      lists.emplace_back(row.begin(), row.end());
      if (options.merge_duplicates)
        lists.back().erase(std::unique(lists.back().begin(), lists.back().end()), lists.back().end());
    }
    return lists;
  }

  Ids source_, target_;
  int threads_ = at::get_num_threads();
};

TEST_F(LargeGraph, IsWhatItsOptionsSayForAnyNumberOfThreads) {
  for (const int threads : {1, 3}) {
    at::set_num_threads(threads);
    for (const bool symmetrise : {false, true}) {
      for (const SelfLoops loops : {SelfLoops::kKeep, SelfLoops::kAdd, SelfLoops::kRemove}) {
        for (const bool merge : {false, true}) {
          const GraphOptions options{symmetrise, loops, merge};
          const auto rows = expected(options);
          const Graph made = Graph::from_edges(kNodes, source_, target_, options);
          const Graph edited = Graph::from_edges(kNodes, source_, target_, {.merge_duplicates = false}).with(options);
          for (NodeId i = 0; i < kNodes; ++i) {
            ASSERT_EQ(row(made.incoming(), i), rows[static_cast<size_t>(i)]) << i;
            ASSERT_EQ(row(edited.incoming(), i), rows[static_cast<size_t>(i)]) << i;
          }
          EXPECT_EQ(made.is_symmetric(), symmetrise);
        }
      }
    }
  }
}

TEST_F(LargeGraph, TransposesForAnyNumberOfThreads) {
  for (const int threads : {1, 3}) {
    at::set_num_threads(threads);
    const Graph g = Graph::from_edges(kNodes, source_, target_, {.merge_duplicates = false});
    std::vector<std::vector<std::pair<NodeId, EdgeId>>> rows(kNodes);
    for (NodeId i = 0; i < kNodes; ++i) {
      for (EdgeId e = g.incoming().offset[i]; e < g.incoming().offset[i + 1]; ++e) {
        rows[static_cast<size_t>(g.incoming().neighbour[e])].emplace_back(i, e);
      }
    }
    for (NodeId j = 0; j < kNodes; ++j) {
      std::vector<std::pair<NodeId, EdgeId>> found;
      for (EdgeId at = g.outgoing().offset[j]; at < g.outgoing().offset[j + 1]; ++at) {
        found.emplace_back(g.outgoing().neighbour[at], g.outgoing_edge()[at]);
      }
      ASSERT_EQ(found, rows[static_cast<size_t>(j)]) << j;
    }
    EXPECT_FALSE(g.is_symmetric());
  }
}

TEST_F(LargeGraph, NamesTheFirstUnknownNodeForAnyNumberOfThreads) {
  source_[150000] = kNodes, source_[199999] = -1;
  for (const int threads : {1, 3}) {
    at::set_num_threads(threads);
    EXPECT_ERROR(Graph::from_edges(kNodes, source_, target_), "edge 150000 (5000 -> ");
  }
}

// A path through all nodes of either half, in steps that leave no two neighbours side by side.
TEST_F(LargeGraph, ComponentsAreTheSameForAnyNumberOfThreads) {
  Ids source, target;
  for (NodeId i = 2; i < kNodes; ++i) source.push_back(i), target.push_back(i - 2);
  const Graph g = Graph::from_edges(kNodes, source, target);
  for (const int threads : {1, 3}) {
    at::set_num_threads(threads);
    const Ids component = g.components();
    for (NodeId i = 0; i < kNodes; ++i) ASSERT_EQ(component[static_cast<size_t>(i)], i % 2);
  }
}

TEST(Graph, SmallestGraphsWork) {
  EXPECT_EQ(Graph().num_nodes(), 0);
  EXPECT_EQ(Graph().outgoing().rows(), 0);
  const Graph single = Graph::from_edges(1, {}, {});
  EXPECT_EQ(single.num_edges(), 0);
  EXPECT_EQ(single.with({.self_loops = SelfLoops::kAdd}).num_edges(), 1);
  const Graph isolated = Graph::from_edges(3, {}, {});
  EXPECT_EQ(isolated.outgoing().rows(), 3);
  EXPECT_EQ(isolated.components(), (Ids{0, 1, 2}));
  EXPECT_EQ(Graph::disjoint_union({}).num_nodes(), 0);
}

TEST(Graph, UnionKeepsTheWayBack) {
  const Graph a = Graph::from_edges(2, Ids{0}, Ids{1});
  const Graph b = Graph::from_edges(3, Ids{0, 2}, Ids{2, 1});
  const Graph both = Graph::disjoint_union(std::vector<Graph>{a, Graph::from_edges(1, {}, {}), b});
  EXPECT_EQ(both.num_nodes(), 6);
  EXPECT_EQ(both.num_parts(), 3);
  EXPECT_EQ(both.part_of(0), 0);
  EXPECT_EQ(both.part_of(2), 1);
  EXPECT_EQ(both.part_of(5), 2);
  EXPECT_EQ(row(both.incoming(), 5), Ids{3});
  EXPECT_EQ(row(both.part(2).incoming(), 2), Ids{0});
  const Graph turned = both.select(std::vector<int64_t>{2, 0});
  EXPECT_EQ(turned.part_begins(), (Ids{0, 3, 5}));
  EXPECT_EQ(row(turned.incoming(), 4), Ids{3});
  EXPECT_EQ(row(both.with({.self_loops = SelfLoops::kAdd}).part(1).incoming(), 0), Ids{0});
}

TEST(Graph, ComponentsIgnoreDirection) {
  const Graph g = Graph::from_edges(6, Ids{1, 5, 3}, Ids{0, 3, 2});
  EXPECT_EQ(g.components(), (Ids{0, 0, 1, 1, 2, 1}));
}

TEST(Graph, SaysWhatIsWrong) {
  EXPECT_ERROR(Graph::from_edges(2, Ids{0, 5}, Ids{1, 1}), "edge 1 (5 -> 1) names node 5, but there are 2 nodes");
  EXPECT_ERROR(Graph::from_edges(2, Ids{-1}, Ids{1}), "names node -1");
  EXPECT_ERROR(Graph::from_edges(2, Ids{0}, Ids{}), "1 edge sources but 0 edge targets");
  EXPECT_ERROR(Graph::from_incoming({std::vector<EdgeId>{0, 2}, Ids{0}}), "end at entry 2, but there are 1 entries");
  EXPECT_ERROR(Graph::from_incoming({std::vector<EdgeId>{0, 2, 1}, Ids{0}}),
               "row 2 begins at entry 1, before row 1 at 2");
  EXPECT_ERROR(Graph::from_incoming({std::vector<EdgeId>{0, 1}, Ids{4}}), "row 0 has an entry in column 4");
  EXPECT_ERROR(Graph::from_incoming({std::vector<EdgeId>{0, 2, 2}, Ids{1, 0}}), "not ascending");
  EXPECT_ERROR(Graph::from_edges(2, Ids{0}, Ids{1}).with_parts({0, 1, 2}), "the edge 0 -> 1 leaves part 1");
}

}  // namespace
}  // namespace geniepath
