#include "data/transforms/truncated_svd.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "expect_error.h"

namespace geniepath {
namespace {

// A directed graph with decreasing in-degrees, and so decreasing singular values.
Graph uneven_graph(NodeId nodes, int64_t edges, bool symmetrise) {
  Random random{5};
  std::vector<NodeId> source, target;
  for (int64_t e = 0; e < edges; ++e) {
    const auto pick = [&] { return static_cast<NodeId>(std::pow(random.uniform(), 2.5) * nodes); };
    source.push_back(pick());
    target.push_back(pick());
  }
  return Graph::from_edges(nodes, source, target, {.symmetrise = symmetrise});
}

at::Tensor dense(const Graph& graph) {
  at::Tensor a = at::zeros({graph.num_nodes(), graph.num_nodes()}, at::kDouble);
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    for (const NodeId j : graph.incoming().neighbours(i)) a[i][j] += 1;
  }
  return a;
}

TEST(TruncatedSvd, FindsTheLeadingSingularValuesAndVectors) {
  for (const bool symmetric : {false, true}) {
    const Graph graph = uneven_graph(300, 3000, symmetric);
    const at::Tensor a = dense(graph);
    const auto exact = at::linalg_svd(a, false);
    const TruncatedSvd found = truncated_svd(graph, 20, 0);
    const at::Tensor u = found.u.to(at::kDouble), s = found.s.to(at::kDouble);
    EXPECT_LT(((s - std::get<1>(exact).narrow(0, 0, 20)) / s).abs().max().item<double>(), 2e-4);
    EXPECT_LT((u.t().mm(u) - at::eye(20, at::kDouble)).abs().max().item<double>(), 1e-5);
    // Projecting on the best 20 directions leaves the least that any 20 can leave (Eckart and Young).
    const double left = (a - u.mm(u.t().mm(a))).norm().item<double>();
    const double least = std::get<1>(exact).narrow(0, 20, 280).norm().item<double>();
    EXPECT_LT(left, least * 1.0005);
    // The first singular value is well separated, so its vector is unique up to the sign, which is fixed.
    const at::Tensor first = std::get<0>(exact).select(1, 0);
    EXPECT_NEAR(std::abs(first.dot(u.select(1, 0)).item<double>()), 1, 1e-6);
  }
}

TEST(TruncatedSvd, MakesTheLargestEntryOfEachVectorPositive) {
  const TruncatedSvd found = truncated_svd(uneven_graph(200, 1500, true), 16, 3);
  EXPECT_TRUE(std::get<0>(found.u.max(0)).ge(std::get<0>(found.u.min(0)).abs()).all().item<bool>());
}

TEST(TruncatedSvd, GivesTheSameBitsForTheSameSeed) {
  const Graph graph = uneven_graph(200, 1500, true);
  EXPECT_TRUE(truncated_svd(graph, 8, 1).u.equal(truncated_svd(graph, 8, 1).u));
  EXPECT_FALSE(truncated_svd(graph, 8, 1).u.equal(truncated_svd(graph, 8, 2).u));
}

TEST(TruncatedSvd, StandsGraphsThatHurt) {
  const TruncatedSvd none = truncated_svd(Graph::from_edges(4, {}, {}), 2, 0);
  EXPECT_TRUE(none.u.isfinite().all().item<bool>());
  EXPECT_EQ(none.s.abs().max().item<float>(), 0);
  const std::vector<NodeId> hub{0, 0, 0}, leaves{1, 2, 3};
  const TruncatedSvd star = truncated_svd(Graph::from_edges(4, hub, leaves, {.symmetrise = true}), 4, 0);
  EXPECT_NEAR(star.s[0].item<float>(), std::sqrt(3.0), 1e-5);  // +- sqrt 3, 0, 0
  EXPECT_NEAR(star.s[1].item<float>(), std::sqrt(3.0), 1e-5);
  EXPECT_NEAR(star.s[2].item<float>(), 0, 1e-5);
  EXPECT_ERROR(truncated_svd(Graph::from_edges(4, {}, {}), 5, 0), "5 dimensions of a graph of 4 nodes");
}

}  // namespace
}  // namespace geniepath
