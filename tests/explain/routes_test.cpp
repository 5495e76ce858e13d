#include "explain/routes.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"

namespace geniepath::explain {
namespace {

using Paths = std::vector<std::vector<NodeId>>;

Graph graph_of(NodeId nodes, const std::vector<std::pair<NodeId, NodeId>>& edges, bool both = true) {
  std::vector<NodeId> source, target;
  for (const auto& [s, t] : edges) source.push_back(s), target.push_back(t);
  return Graph::from_edges(nodes, source, target, {.symmetrise = both});
}

TEST(Routes, AreAllOfTheShortest) {
  const Graph graph = graph_of(7, {{0, 1}, {1, 3}, {0, 2}, {2, 3}, {3, 4}, {0, 5}, {5, 4}});
  EXPECT_EQ(shortest_routes(graph, 0, 3, 10).paths, (Paths{{0, 1, 3}, {0, 2, 3}}));
  EXPECT_EQ(shortest_routes(graph, 0, 4, 10).paths, (Paths{{0, 5, 4}}));
  EXPECT_EQ(shortest_routes(graph, 3, 5, 10).paths, (Paths{{3, 4, 5}}));
  EXPECT_TRUE(shortest_routes(graph, 0, 6, 10).paths.empty());
  EXPECT_EQ(shortest_routes(graph, 2, 2, 10).paths, (Paths{{2}}));
}

TEST(Routes, ThatAreLeftOutAreSaidToBe) {
  const Graph graph = graph_of(6, {{0, 1}, {1, 5}, {0, 2}, {2, 5}, {0, 3}, {3, 5}});
  EXPECT_FALSE(shortest_routes(graph, 0, 5, 2).all);
  EXPECT_EQ(shortest_routes(graph, 0, 5, 2).paths.size(), 2u);
  EXPECT_TRUE(shortest_routes(graph, 0, 5, 3).all);
}

// A node attends to the sources of its edges.
TEST(Routes, FollowTheDirectionOfAttention) {
  const Graph graph = graph_of(3, {{1, 0}, {2, 1}}, false);
  EXPECT_EQ(shortest_routes(graph, 0, 2, 10).paths, (Paths{{0, 1, 2}}));
  EXPECT_TRUE(shortest_routes(graph, 2, 0, 10).paths.empty());
}

// Distances by relaxing every edge until nothing changes.
TEST(Routes, AreAsLongAsTheDistance) {
  const Graph graph = testing::random_graph(30, 60, 5);
  for (NodeId to = 0; to < 30; ++to) {
    std::vector<int> distance(30, 1000);
    distance[static_cast<size_t>(to)] = 0;
    for (int round = 0; round < 30; ++round) {
      for (NodeId i = 0; i < 30; ++i) {
        for (const NodeId j : graph.incoming().neighbours(i)) {
          distance[static_cast<size_t>(i)] =
              std::min(distance[static_cast<size_t>(i)], distance[static_cast<size_t>(j)] + 1);
        }
      }
    }
    for (NodeId from = 0; from < 30; ++from) {
      const Routes routes = shortest_routes(graph, from, to, 50);
      EXPECT_EQ(routes.paths.empty(), distance[static_cast<size_t>(from)] == 1000);
      for (const auto& path : routes.paths) EXPECT_EQ(std::ssize(path), distance[static_cast<size_t>(from)] + 1);
    }
  }
}

}  // namespace
}  // namespace geniepath::explain
