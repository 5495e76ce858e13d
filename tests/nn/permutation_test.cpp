// The paper's requirement for every layer: neither node numbers nor the order of neighbours matter.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
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

ModelInput input_of(const Edges& edges, const at::Tensor& x) {
  return ModelInput(Features(x), Graph::from_edges(edges.nodes, edges.source, edges.target));
}

std::shared_ptr<Model> small_model(const std::string& name, int64_t features) {
  ModelConfig config;
  config.model = name;
  config.hidden = 6;
  config.depth = 3;
  auto model = make_model(config, features, 2, 1);
  return model;
}

at::Tensor scores(const std::string& name, const ModelInput& input) {
  const at::NoGradGuard no_grad;
  return small_model(name, input.dense.size(1))->forward(input);
}

// The same edges, with the neighbours of every node in another order. Since a Graph sorts them, the rows that
// operations read are shuffled instead.
ModelInput with_shuffled_rows(ModelInput input, uint64_t seed) {
  GraphTensors& graph = input.graph;
  const int64_t edges = graph.in_neighbour.numel();
  std::vector<int64_t> order(static_cast<size_t>(edges)), place(order.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto* offset = graph.in_offset.data_ptr<int64_t>();
  for (int64_t i = 0; i + 1 < graph.in_offset.numel(); ++i) {
    std::vector<int64_t> row(order.begin() + offset[i], order.begin() + offset[i + 1]);
    shuffle(row, Random{seed, static_cast<uint64_t>(i)});
    std::copy(row.begin(), row.end(), order.begin() + offset[i]);
  }
  for (size_t e = 0; e < order.size(); ++e) place[static_cast<size_t>(order[e])] = static_cast<int64_t>(e);
  graph.in_neighbour = graph.in_neighbour.index_select(0, at::tensor(order, at::kLong));
  graph.out_edge = at::tensor(place, at::kLong).index_select(0, graph.out_edge.to(at::kLong));
  return input;
}

void expect_holds(bool holds) { EXPECT_TRUE(holds) << "RapidCheck found a counterexample, printed above"; }

TEST(Permutation, OfNodesPermutesTheScores) {
  for (const std::string& name : model_names()) {
    if (name == "graphsage-lstm") continue;  // not invariant by design: it reads neighbours in order
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
      const at::Tensor before = scores(name, input_of(edges, x));
      for (NodeId i = 0; i < edges.nodes; ++i) {
        moved[to[static_cast<size_t>(i)]] = x[i];
        expected[to[static_cast<size_t>(i)]] = before[i];
      }
      RC_ASSERT(at::allclose(scores(name, input_of(renamed, moved)), expected, 1e-4, 1e-5));
    }));
  }
}

TEST(Permutation, OfNeighboursChangesNothing) {
  for (const std::string& name : model_names()) {
    if (name == "graphsage-lstm") continue;  // reads them in order, see below
    expect_holds(rc::check(name, [&] {
      const Edges edges = any_edges();
      const ModelInput input = input_of(edges, at::randn({edges.nodes, 3}));
      const ModelInput shuffled = with_shuffled_rows(input, *rc::gen::arbitrary<uint64_t>());
      RC_ASSERT(at::allclose(scores(name, shuffled), scores(name, input), 1e-4, 1e-5));
    }));
  }
}

// Also for gradients, which follow edges by their ids.
TEST(Permutation, OfNeighboursChangesNoGradient) {
  for (const std::string& name : model_names()) {
    if (name == "graphsage-lstm") continue;
    expect_holds(rc::check(name, [&] {
      const Edges edges = any_edges();
      const ModelInput input = input_of(edges, at::randn({edges.nodes, 3}));
      const ModelInput shuffled = with_shuffled_rows(input, *rc::gen::arbitrary<uint64_t>());
      const auto model = small_model(name, 3);
      const auto gradients = [&](const ModelInput& of) {
        model->zero_grad();
        const at::Tensor out = model->forward(of);
        (out * at::linspace(-1, 1, out.numel()).view_as(out)).sum().backward();
        std::vector<at::Tensor> all;
        for (const at::Tensor& weight : model->parameters()) {
          all.push_back(weight.grad().defined() ? weight.grad().flatten().clone() : at::zeros({weight.numel()}));
        }
        return at::cat(all);
      };
      RC_ASSERT(at::allclose(gradients(shuffled), gradients(input), 1e-3, 1e-4));
    }));
  }
}

// A model that reads neighbours in order does notice shuffled rows.
TEST(Permutation, OfNeighboursIsSeenByAModelThatReadsThemInOrder) {
  const Edges edges{6, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}};
  at::manual_seed(1);
  const ModelInput input = input_of(edges, at::randn({6, 3}));
  EXPECT_FALSE(at::allclose(scores("graphsage-lstm", with_shuffled_rows(input, 1)), scores("graphsage-lstm", input)));
}

}  // namespace
}  // namespace geniepath
