// What is computed again on a neighbourhood is what the model computes on the whole changed graph.
#include "explain/what_if.h"

#include <gtest/gtest.h>

#include "small_models.h"

namespace geniepath {
namespace {

using namespace testing;
using Edge = std::pair<NodeId, NodeId>;  // source, target

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    for (const NodeId j : graph.incoming().neighbours(i)) edges.emplace_back(j, i);
  }
  return edges;
}

Graph graph_of(NodeId nodes, const std::vector<Edge>& edges) {
  std::vector<NodeId> source, target;
  for (const auto& [s, t] : edges) source.push_back(s), target.push_back(t);
  return Graph::from_edges(nodes, source, target);
}

void expect_close(const at::Tensor& found, const at::Tensor& expected) {
  EXPECT_TRUE(at::allclose(found, expected, 1e-4, 2e-6)) << found << "\n" << expected;
}

std::vector<Graph> some_graphs() {
  return {random_graph(40, 60, 3), both_ways(random_graph(60, 70, 4)), both_ways(random_graph(25, 60, 8)), star_graph(30),
          Graph::from_edges(3, {}, {})};
}

TEST(WhatIf, TheTraceIsThePrediction) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = sharp_model(config);
    for (const Graph& graph : some_graphs()) {
      SCOPED_TRACE(name_of(config));
      const Dataset data = data_on(graph);
      expect_close(Explainer(model, data).probabilities(), predict(*model, data));
    }
  }
}

TEST(WhatIf, EmptyGraphHasATrace) {
  EXPECT_EQ(Explainer(sharp_model(attending("geniepath")), data_on(Graph::from_edges(0, {}, {}))).num_nodes(), 0);
}

TEST(WhatIf, KeptAndDroppedEdgesAreThoseOfAWholeRun) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = sharp_model(config);
    for (const Graph& graph : some_graphs()) {
      SCOPED_TRACE(name_of(config));
      const Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      for (const NodeId node : {0, 1, 2}) {
        ExplainOptions options;
        options.top = 4, options.hops = 2;
        const Explanation found = explainer.explain(node, options);
        std::set<Edge> listed;
        for (const PathEdge& edge : found.edges) listed.emplace(edge.source, edge.target);
        std::vector<Edge> dropped;
        for (const Edge& edge : edges_of(graph)) {
          if (listed.count(edge) == 0) dropped.push_back(edge);
        }
        const auto rerun = [&](const std::vector<Edge>& edges) {
          Dataset changed = data;
          changed.graph = graph_of(graph.num_nodes(), edges);
          return predict(*model, changed)[node];
        };
        expect_close(found.faithfulness.full, predict(*model, data)[node]);
        expect_close(found.faithfulness.kept, rerun({listed.begin(), listed.end()}));
        expect_close(found.faithfulness.dropped, rerun(dropped));
      }
    }
  }
}

// Two unseen nodes, joined to known ones and to each other.
TEST(WhatIf, UnseenNodesScoreAsIfTheyHadAlwaysBeenThere) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = sharp_model(config);
    for (const bool directed : {false, true}) {
      for (const Graph& graph : {random_graph(40, 60, 3), both_ways(random_graph(60, 70, 4)), star_graph(30)}) {
        SCOPED_TRACE(name_of(config) + (directed ? " one way" : " both ways"));
        const NodeId n = graph.num_nodes();
        const Dataset all = data_on(graph_of(n + 2, edges_of(graph)));
        std::vector<NodeId> known(static_cast<size_t>(n));
        std::iota(known.begin(), known.end(), 0);
        Dataset data = data_on(graph);
        data.features = all.features.select_rows(known);
        const std::vector<Edge> joined{{n, 0}, {n, 7}, {n + 1, n}, {3, n + 1}, {n, 7}};
        const std::vector<NodeId> new_nodes{n, n + 1};
        Dataset grown = all;
        auto edges = edges_of(graph);
        edges.insert(edges.end(), joined.begin(), joined.end());
        if (!directed) {
          for (const auto& [a, b] : joined) edges.emplace_back(b, a);
        }
        grown.graph = graph_of(n + 2, edges);
        const Explainer explainer(model, data);
        expect_close(explainer.score({all.features.select_rows(new_nodes), joined, directed}),
                     predict(*model, grown).narrow(0, n, 2));
        expect_close(explainer.probabilities(), predict(*model, data));  // the graph stays as it is
      }
    }
  }
}

TEST(WhatIf, AnUnseenNodeWithoutEdgesIsScoredByItself) {
  const auto model = sharp_model(attending("geniepath"));
  const Dataset data = data_on(star_graph(9));
  const Dataset alone = data_on(Graph::from_edges(1, {}, {}));
  expect_close(Explainer(model, data).score({alone.features, {}}), predict(*model, alone));
}

}  // namespace
}  // namespace geniepath
