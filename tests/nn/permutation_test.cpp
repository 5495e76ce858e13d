// The paper's requirement of every layer: neither the names of nodes nor the order of neighbours matters.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "geniepath/model.h"
#include "graphs_that_hurt.h"

namespace geniepath {
namespace {

struct Edges {
  NodeId nodes;
  std::vector<NodeId> source, target;
};

Edges any_edges() {
  const auto nodes = *rc::gen::inRange<NodeId>(1, 20);
  const auto node = rc::gen::inRange<NodeId>(0, nodes);
  const auto count = *rc::gen::inRange<size_t>(0, 60);
  return {nodes, *rc::gen::container<std::vector<NodeId>>(count, node),
          *rc::gen::container<std::vector<NodeId>>(count, node)};
}

at::Tensor scores(const std::string& name, const Edges& edges, const at::Tensor& x) {
  ModelConfig config;
  config.model = name;
  config.hidden = 6;
  config.depth = 3;
  const auto model = make_model(config, x.size(1), 2, 1);
  model->eval();
  const at::NoGradGuard no_grad;
  return model->forward(ModelInput(Features(x), Graph::from_edges(edges.nodes, edges.source, edges.target)));
}

void expect_holds(bool holds) { EXPECT_TRUE(holds) << "RapidCheck found a counterexample, printed above"; }

TEST(Permutation, OfNodesPermutesTheScores) {
  for (const std::string& name : model_names()) {
    if (name == "graphsage-lstm") continue;  // not invariant by design: its neighbours come in an order
    expect_holds(rc::check(name, [&] {
      const Edges edges = any_edges();
      const at::Tensor x = at::randn({edges.nodes, 3});
      std::vector<NodeId> to(static_cast<size_t>(edges.nodes));
      std::iota(to.begin(), to.end(), NodeId{0});
      shuffle(to, Random{*rc::gen::arbitrary<uint64_t>()});
      Edges renamed = edges;
      for (NodeId& node : renamed.source) node = to[static_cast<size_t>(node)];
      for (NodeId& node : renamed.target) node = to[static_cast<size_t>(node)];
      at::Tensor moved = at::empty_like(x), expected = at::empty({edges.nodes, 2});
      const at::Tensor before = scores(name, edges, x);
      for (NodeId i = 0; i < edges.nodes; ++i) {
        moved[to[static_cast<size_t>(i)]] = x[i];
        expected[to[static_cast<size_t>(i)]] = before[i];
      }
      RC_ASSERT(at::allclose(scores(name, renamed, moved), expected, 1e-4, 1e-5));
    }));
  }
}

TEST(Permutation, OfNeighboursChangesNothing) {
  for (const std::string& name : model_names()) {
    expect_holds(rc::check(name, [&] {
      const Edges edges = any_edges();
      const at::Tensor x = at::randn({edges.nodes, 3});
      std::vector<size_t> order(edges.source.size());
      std::iota(order.begin(), order.end(), size_t{0});
      shuffle(order, Random{*rc::gen::arbitrary<uint64_t>()});
      Edges reordered{edges.nodes, {}, {}};
      for (const size_t e : order) {
        reordered.source.push_back(edges.source[e]);
        reordered.target.push_back(edges.target[e]);
      }
      RC_ASSERT(scores(name, reordered, x).equal(scores(name, edges, x)));
    }));
  }
}

}  // namespace
}  // namespace geniepath
