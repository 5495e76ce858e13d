// Recomputation on a neighbourhood agrees with the model on the whole changed graph.
#include "explain/what_if.h"

#include <gtest/gtest.h>

#include <set>

#include "expect_error.h"
#include "explain/paths.h"

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
  return {random_graph(40, 60, 3),
          both_ways(random_graph(60, 70, 4)),
          both_ways(random_graph(25, 60, 8)),
          star_graph(30),
          complete_graph(6),
          clique_chain(5),
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

// The model hop by hop on the changed graph, with the states of nodes off the paths kept.
at::Tensor probabilities_with(const explain::Trace& trace, const std::vector<std::vector<NodeId>>& rows,
                              const std::vector<bool>& near, NodeId node) {
  const at::NoGradGuard no_grad;
  const Graph graph = [&] {
    std::vector<Edge> edges;
    for (size_t i = 0; i < rows.size(); ++i) {
      for (const NodeId j : rows[i]) edges.emplace_back(j, static_cast<NodeId>(i));
    }
    return graph_of(trace.graph.num_nodes(), edges);
  }();
  const GraphTensors tensors(graph);
  std::vector<at::Tensor> h{trace.h[0]};
  at::Tensor memory;
  for (int64_t t = 1; t <= trace.depth(); ++t) {
    const auto made = trace.path_model->breadth(t, {tensors.in_offset, tensors.in_neighbour}, h.back(), h.front());
    h.push_back(trace.path_model->advance(t, made.h_tmp, memory).clone());
    for (size_t i = 0; i < near.size() && t < trace.depth(); ++i) {
      const auto at = static_cast<int64_t>(i);
      if (!near[i]) h.back()[at].copy_(trace.h[static_cast<size_t>(t)][at]);
    }
  }
  return trace.probabilities_of(trace.path_model->finish(h.front(), {h.begin() + 1, h.end()}))[node];
}

// without() and with_only() are predictions on the changed graph.
TEST(WhatIf, RemovedEdgesAreRemovedForEveryNode) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = sharp_model(config);
    for (const Graph& graph : some_graphs()) {
      SCOPED_TRACE(name_of(config));
      Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      for (const NodeId node : {0, 1, 2}) {
        ExplainOptions options;
        options.top = 5;
        std::vector<Edge> listed, others;
        for (const PathEdge& edge : explainer.explain(node, options).edges)
          listed.emplace_back(edge.source, edge.target);
        for (const Edge& edge : edges_of(graph)) {
          if (std::ranges::find(listed, edge) == listed.end()) others.push_back(edge);
        }
        data.graph = graph_of(graph.num_nodes(), others);
        expect_close(explainer.without(node, listed), predict(*model, data)[node]);
        data.graph = graph_of(graph.num_nodes(), listed);
        expect_close(explainer.with_only(node, listed), predict(*model, data)[node]);
      }
    }
  }
}

TEST(WhatIf, OnlyEdgesOfTheGraphAreRemovedOrKept) {
  const Explainer explainer(sharp_model(attending("geniepath")),
                            data_on(Graph::from_edges(3, std::vector<NodeId>{0}, std::vector<NodeId>{1})));
  for (const Edge& edge : {Edge{1, 0}, Edge{2, 2}}) {
    EXPECT_ERROR(explainer.without(0, {&edge, 1}), "expected an edge of the graph between two nodes, found none");
    EXPECT_ERROR(explainer.with_only(0, {&edge, 1}), "expected an edge of the graph between two nodes, found none");
  }
  const Edge outside{0, 3};
  EXPECT_ERROR(explainer.without(0, {&outside, 1}), "node 3, but the graph has 3");
}

TEST(WhatIf, KeptAndDroppedEdgesAreThoseOfAWholeRun) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = sharp_model(config);
    for (const Graph& graph : some_graphs()) {
      SCOPED_TRACE(name_of(config));
      const Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      const explain::Trace trace = explain::make_trace(model, data, {});
      for (const NodeId node : {0, 1, 2}) {
        ExplainOptions options;
        options.top = 4, options.hops = 2;
        const Explanation found = explainer.explain(node, options);
        std::set<Edge> listed;
        for (const PathEdge& edge : found.edges) listed.emplace(edge.source, edge.target);
        std::set<NodeId> along{node};
        for (const PathEdge& edge : found.edges) along.insert(edge.target);
        std::vector<bool> near(static_cast<size_t>(graph.num_nodes()));
        std::vector<std::vector<NodeId>> kept(near.size()), dropped(near.size());
        for (NodeId i = 0; i < graph.num_nodes(); ++i) {
          const auto at = static_cast<size_t>(i);
          near[at] = along.count(i) > 0;
          for (const NodeId j : trace.graph.incoming().neighbours(i)) {
            const bool is_listed = listed.count({j, i}) > 0;
            if (i == j || is_listed) kept[at].push_back(j);
            if (i == j || !is_listed) dropped[at].push_back(j);
          }
        }
        expect_close(found.faithfulness.full, predict(*model, data)[node]);
        expect_close(found.faithfulness.kept, probabilities_with(trace, kept, near, node));
        expect_close(found.faithfulness.dropped, probabilities_with(trace, dropped, near, node));
        EXPECT_TRUE(explainer.without_paths(node, options).equal(found.faithfulness.dropped));
      }
    }
  }
}

// With no states kept, removing edges gives the prediction of a whole run without them.
TEST(WhatIf, GoneEdgesGiveWhatAWholeRunWithoutThemGives) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = sharp_model(config);
    for (const Graph& graph : some_graphs()) {
      SCOPED_TRACE(name_of(config));
      const Dataset data = data_on(graph);
      const explain::Trace trace = explain::make_trace(model, data, {});
      explain::GraphChange change;
      Dataset changed = data;
      std::vector<Edge> left;
      for (const auto& [source, target] : edges_of(trace.graph)) {
        const bool gone = source != target && (target == 1 || target == 2) && source % 2 == 0;
        if (!gone) left.emplace_back(source, target);
        if (target == 1 || target == 2) change.rows[target];
        if (!gone && (target == 1 || target == 2)) change.rows[target].push_back(source);
      }
      changed.graph = graph_of(graph.num_nodes(), left);
      const NodeId targets[] = {0, 1};
      const at::NoGradGuard no_grad;
      const explain::Trajectory path = explain::follow(trace, targets, change);
      expect_close(trace.probabilities_of(trace.path_model->finish(path.h_0, path.h)),
                   predict(*model, changed).narrow(0, 0, 2));
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
