// Paths, sums and counts against an enumeration of all paths.
#include "explain/paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "small_models.h"

namespace geniepath {
namespace {

using namespace testing;

struct AllPaths {
  AllPaths(const explain::Trace& t, NodeId node, int64_t hops) : trace(t) { extend({{node}, {}, 1, 1}, hops); }

  void extend(const ReceptivePath& path, int64_t hops) {
    const Adjacency& in = trace.graph.incoming();
    const NodeId from = path.nodes.back();
    const auto steps = std::ssize(path.alpha);
    if (steps == hops) return;
    for (EdgeId e = in.offset[from]; e < in.offset[from + 1]; ++e) {
      const NodeId to = in.neighbour[e];
      if (to == from) continue;
      ReceptivePath next = path;
      next.nodes.push_back(to);
      next.alpha.push_back(trace.alpha_of(trace.depth() - steps)[e]);
      next.product *= next.alpha.back();
      next.laplacian /= std::sqrt(static_cast<double>(in.degree(from)) * static_cast<double>(in.degree(to)));
      paths.push_back(next);
      extend(next, hops);
    }
  }

  double sum(const std::function<double(const ReceptivePath&)>& of) const {
    double total = 0;
    for (const ReceptivePath& path : paths) total += of(path);
    return total;
  }

  const explain::Trace& trace;
  std::vector<ReceptivePath> paths;
};

double crossings(const ReceptivePath& path, const PathEdge& edge) {
  double count = 0;
  for (size_t s = 1; s < path.nodes.size(); ++s) {
    count += path.nodes[s - 1] == edge.target && path.nodes[s] == edge.source;
  }
  return count;
}

void expect_listed(const std::vector<ReceptivePath>& found, std::vector<ReceptivePath> all, size_t top,
                   double threshold) {
  std::erase_if(all, [&](const ReceptivePath& path) { return path.product < threshold; });
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.product > b.product; });
  ASSERT_EQ(found.size(), std::min(top, all.size()));
  for (size_t p = 0; p < found.size(); ++p) {
    EXPECT_DOUBLE_EQ(found[p].product, all[p].product) << p;
    const auto same = [&](const ReceptivePath& path) {
      return path.nodes == found[p].nodes && path.alpha == found[p].alpha;
    };
    const auto path = std::find_if(all.begin(), all.end(), same);
    ASSERT_NE(path, all.end());
    EXPECT_NEAR(found[p].laplacian, path->laplacian, 1e-12);
  }
}

void expect_described(const Explanation& found, const AllPaths& all) {
  for (const PathEdge& edge : found.edges) {
    double best = 0;
    for (const auto& path : all.paths) best = crossings(path, edge) > 0 ? std::max(best, path.product) : best;
    EXPECT_NEAR(edge.best, best, 1e-9);
    EXPECT_NEAR(edge.total, all.sum([&](const auto& path) { return crossings(path, edge) * path.product; }), 1e-9);
  }
  std::set<NodeId> reached{found.node}, nodes{found.node};
  std::set<std::pair<NodeId, NodeId>> edges;
  for (const auto& path : all.paths) {
    if (path.product >= found.threshold) reached.insert(path.nodes.back());
    nodes.insert(path.nodes.back());
    for (size_t s = 1; s < path.nodes.size(); ++s) edges.emplace(path.nodes[s - 1], path.nodes[s]);
  }
  EXPECT_EQ(found.reached, static_cast<int64_t>(reached.size()));
  EXPECT_EQ(found.omitted.nodes, static_cast<int64_t>(nodes.size() - found.nodes.size()));
  EXPECT_EQ(found.omitted.edges, static_cast<int64_t>(edges.size() - found.edges.size()));
  EXPECT_EQ(found.omitted.paths, static_cast<double>(all.paths.size() - found.paths.size()));
  double listed = 0;
  for (const auto& path : found.paths) listed += path.product;
  EXPECT_NEAR(found.omitted.product, all.sum([](const auto& path) { return path.product; }) - listed, 1e-6);
  const PathNode* before = nullptr;
  for (const PathNode& node : found.nodes) {
    int64_t hop = node.node == found.node ? 0 : std::numeric_limits<int64_t>::max();
    for (const auto& path : all.paths)
      hop = path.nodes.back() == node.node ? std::min(hop, std::ssize(path.alpha)) : hop;
    EXPECT_EQ(node.hop, hop);
    EXPECT_TRUE(before == nullptr || before->hop < hop ||
                (before->hop == hop && before->importance >= node.importance));
    before = &node;
    const double importance =
        all.sum([&](const auto& path) { return path.nodes.back() == node.node ? path.product : 0.0; });
    EXPECT_NEAR(node.importance, node.node == found.node ? 1 : importance, 1e-9);
  }
}

TEST(Paths, AreTheStrongestOfAllPaths) {
  const std::vector<Graph> graphs{random_graph(12, 30, 3), both_ways(random_graph(9, 14, 4)), star_graph(12),
                                  complete_graph(3),       complete_graph(7),                 clique_chain(3),
                                  Graph::from_edges(2, {}, {})};
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    const auto model = sharp_model(attending(name, 4));
    for (const Graph& graph : graphs) {
      const Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      const explain::Trace trace = explain::make_trace(model, data, {});
      for (const int64_t hops : {1, 2, 4}) {
        for (const double threshold : {0.0, 0.05}) {
          ExplainOptions options;
          options.hops = hops, options.top = 30, options.threshold = threshold;
          const Explanation found = explainer.explain(1, options);
          const AllPaths all(trace, 1, hops);
          expect_listed(found.paths, all.paths, 30, threshold);
          expect_described(found, all);
        }
      }
    }
  }
}

TEST(Paths, WeightsIntoANodeAddUpToOneInEveryLayer) {
  const Dataset data = data_on(both_ways(random_graph(30, 60, 3)));
  const Explainer explainer(sharp_model(attending("geniepath")), data);
  ExplainOptions options;
  options.top = 1000;
  const Explanation found = explainer.explain(2, options);
  for (size_t layer = 0; layer < 3; ++layer) {
    double sum = found.nodes.front().self_alpha[layer];
    for (const PathEdge& edge : explainer.edges(2, 1)) sum += edge.alpha[layer];
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(Paths, HubsAreExactAndQuick) {
  const Dataset data = data_on(star_graph(20000));
  const Explainer explainer(sharp_model(attending("geniepath", 7)), data);
  ExplainOptions options;
  options.hops = 7;
  const Explanation found = explainer.explain(3, options);
  EXPECT_EQ(found.paths.size(), 50u);
  EXPECT_EQ(found.omitted.nodes + std::ssize(found.nodes), 20000);
  // From leaf 3: to the hub, to one of 19,999 leaves, to the hub, ...: 1 + m + m + m^2 + m^2 + m^3 + m^3 paths.
  const double m = 19999;
  EXPECT_EQ(found.omitted.paths + 50, 1 + 2 * m + 2 * m * m + 2 * m * m * m);
}

}  // namespace
}  // namespace geniepath
