// The operations of the baselines: sums, maxima and GAT's attention over neighbours.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <set>

#include "expect_error.h"
#include "geniepath/ops.h"
#include "gradient_check.h"
#include "small_graph.h"

namespace geniepath {
namespace {

using testing::expect_gradients;
using testing::leaf;
using testing::mixed;
using testing::Tensors;

class NeighbourOps : public testing::SmallGraphTest {};

// A[i][j]: the number of edges (i <- j).
at::Tensor dense_adjacency(const Graph& graph) {
  at::Tensor a = at::zeros({graph.num_nodes(), graph.num_nodes()}, at::kDouble);
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    for (const NodeId j : graph.incoming().neighbours(i)) a[i][j] += 1;
  }
  return a;
}

TEST_F(NeighbourOps, SumIsTheDenseProductWithItsGradients) {
  const at::Tensor left = at::rand({7}, at::kDouble), right = at::rand({7}, at::kDouble), h = leaf({7, 5});
  const at::Tensor a = left.unsqueeze(1) * dense_adjacency(graph_) * right;
  EXPECT_TRUE(at::allclose(ops::neighbour_sum(tensors_, h, left, right), a.mm(h)));
  EXPECT_TRUE(at::allclose(ops::neighbour_sum(tensors_, h), dense_adjacency(graph_).mm(h)));
  expect_gradients([&](const Tensors& x) { return mixed(ops::neighbour_sum(tensors_, x[0], left, right)); }, {h});
  expect_gradients([&](const Tensors& x) { return mixed(ops::neighbour_sum(tensors_, x[0], left)); }, {leaf({7, 5})});
}

TEST_F(NeighbourOps, MaxIsTheLargestOfTheNeighbours) {
  const at::Tensor h = at::randn({7, 5});
  for (const bool skip_self : {false, true}) {
    at::Tensor expected = at::zeros({7, 5});
    for (NodeId i = 0; i < 7; ++i) {
      std::vector<at::Tensor> rows;
      for (const NodeId j : graph_.incoming().neighbours(i)) {
        if (!skip_self || j != i) rows.push_back(h[j]);
      }
      if (!rows.empty()) expected[i] = std::get<0>(at::stack(rows).max(0));
    }
    EXPECT_TRUE(ops::neighbour_max(tensors_, h, skip_self).equal(expected));
  }
}

TEST_F(NeighbourOps, MaxGradients) {
  for (const bool skip_self : {false, true}) {
    expect_gradients([&](const Tensors& x) { return mixed(ops::neighbour_max(tensors_, x[0], skip_self)); },
                     {leaf({7, 5})});
  }
}

TEST_F(NeighbourOps, GatAttentionGradients) {
  for (const ops::GatOptions& options : {ops::GatOptions{}, ops::GatOptions{0.1, 0.4, 9}}) {
    expect_gradients([&](const Tensors& x) { return mixed(ops::gat_attention(tensors_, x[0], x[1], x[2], options)); },
                     {leaf({7, 2}), leaf({7, 2}), leaf({7, 6})});
  }
}

TEST_F(NeighbourOps, GatWeightsAreTheAlphaUsedAndSumToOne) {
  const at::Tensor dst = at::randn({7, 2}), src = at::randn({7, 2}), h = at::randn({7, 6});
  const at::Tensor alpha = ops::gat_attention_weights(tensors_, dst, src);
  at::Tensor out = at::zeros({7, 2, 3});
  for (NodeId i = 0; i < 7; ++i) {
    at::Tensor sum = at::zeros({2});
    for (EdgeId e = graph_.incoming().offset[i]; e < graph_.incoming().offset[i + 1]; ++e) {
      out[i] += alpha[e].unsqueeze(1) * h[graph_.incoming().neighbour[e]].view({2, 3});
      sum += alpha[e];
    }
    EXPECT_TRUE(at::allclose(sum, at::full({2}, graph_.incoming().degree(i) > 0 ? 1.0 : 0.0))) << i;
  }
  EXPECT_TRUE(at::allclose(out.view({7, 6}), ops::gat_attention(tensors_, dst, src, h), 1e-5, 1e-6));
}

// The fused f32 path against the same operations in f64, forward and backward, on a graph whose hub is split.
TEST_F(NeighbourOps, FusedAgreesWithF64) {
  const GraphTensors graph(testing::star_graph(3000));
  const auto scale = [](const at::Tensor& like) {
    return at::linspace(0.5, 1.5, 3000, like.options().requires_grad(false));
  };
  const auto all = [&](const Tensors& x) {
    const ops::GatOptions options{0.2, 0.3, 4};
    return mixed(ops::gat_attention(graph, x[0], x[1], x[2], options)) + mixed(ops::neighbour_max(graph, x[2])) +
           mixed(ops::neighbour_sum(graph, x[2], scale(x[2]), scale(x[2])));
  };
  const Tensors exact{leaf({3000, 4}), leaf({3000, 4}), leaf({3000, 24})};
  all(exact).backward();
  Tensors found;
  for (const at::Tensor& t : exact) found.push_back(t.detach().to(at::kFloat).requires_grad_());
  all(found).backward();
  for (size_t t = 0; t < exact.size(); ++t) {
    const double largest = exact[t].grad().abs().max().item<double>();
    const double gap = (found[t].grad().to(at::kDouble) - exact[t].grad()).abs().max().item<double>();
    EXPECT_LT(gap / largest, 2e-5) << "leaf " << t;
  }
}

TEST_F(NeighbourOps, SparseDropoutIsTheDenseOne) {
  const SparseMatrix matrix{4, 6, std::vector<int64_t>{0, 2, 2, 3, 6}, std::vector<int32_t>{1, 4, 0, 1, 3, 5},
                            std::vector<float>{1.0f, -2.0f, 0.5f, 3.0f, 1.5f, -1.0f}};
  const SparseTensors x(matrix);
  bool some_dropped = false;
  for (uint64_t key = 0; key < 10; ++key) {
    const SparseTensors y = ops::dropout(x, 0.5, key);
    const at::Tensor dense = ops::dropout(matrix.to_dense(), 0.5, key);
    some_dropped = some_dropped || (y.value == 0).any().item<bool>();
    at::Tensor w = leaf({6, 3}).detach().to(at::kFloat).requires_grad_();
    const at::Tensor product = ops::sparse_linear(y, w), expected = dense.mm(w);
    EXPECT_TRUE(at::allclose(product, expected, 1e-6, 1e-6));
    mixed(product).backward();
    const at::Tensor grad = w.grad().clone();
    w.mutable_grad() = at::Tensor();
    mixed(expected).backward();
    EXPECT_TRUE(at::allclose(grad, w.grad(), 1e-5, 1e-5));
  }
  EXPECT_TRUE(some_dropped);
}

TEST_F(NeighbourOps, SequencesHoldEveryNeighbourOnceInAnOrderOfTheirOwn) {
  const Graph graph = testing::random_graph(40, 300, 5).with({.self_loops = SelfLoops::kAdd});
  const GraphTensors tensors(graph);
  const ops::NeighbourSequences all = ops::neighbour_sequences(tensors, 1000, 3);
  std::vector<std::multiset<int64_t>> read(40);
  for (const at::Tensor& step : all.step) {
    for (int64_t n = 0; n < step.numel(); ++n) {
      read[static_cast<size_t>(all.order[n].item<int64_t>())].insert(step[n].item<int64_t>());
    }
  }
  for (NodeId i = 0; i < 40; ++i) {
    EXPECT_EQ(all.order[all.place[i].item<int64_t>()].item<int64_t>(), i);
    std::multiset<int64_t> expected(graph.incoming().neighbours(i).begin(), graph.incoming().neighbours(i).end());
    expected.erase(i);
    EXPECT_EQ(read[static_cast<size_t>(i)], expected) << i;
  }
  const ops::NeighbourSequences few = ops::neighbour_sequences(tensors, 3, 3),
                                other = ops::neighbour_sequences(tensors, 3, 4);
  ASSERT_EQ(few.step.size(), 3u);
  EXPECT_FALSE(few.step[0].equal(other.step[0]));
  EXPECT_TRUE(few.step[0].equal(ops::neighbour_sequences(tensors, 3, 3).step[0]));
  EXPECT_TRUE(ops::neighbour_sequences(GraphTensors(Graph()), 3, 1).step.empty());
}

TEST_F(NeighbourOps, SamplesAreOfTheNeighboursAndKeepTheNodeItself) {
  const Graph graph = testing::random_graph(40, 300, 5).with({.self_loops = SelfLoops::kAdd});
  const GraphTensors tensors(graph), sample = ops::sampled_neighbours(tensors, 3, 7);
  const auto row_of = [](const GraphTensors& of, int64_t i) {
    const auto* offset = of.in_offset.data_ptr<int64_t>();
    const auto* neighbour = of.in_neighbour.data_ptr<int32_t>();
    return std::set<int64_t>(neighbour + offset[i], neighbour + offset[i + 1]);
  };
  for (int64_t i = 0; i < 40; ++i) {
    const auto all = row_of(tensors, i), drawn = row_of(sample, i);
    EXPECT_TRUE(std::includes(all.begin(), all.end(), drawn.begin(), drawn.end())) << i;
    EXPECT_EQ(drawn.size(), std::min<size_t>(all.size(), 4)) << i;
    EXPECT_EQ(drawn.count(i), 1u) << i;
  }
  EXPECT_TRUE(sample.in_neighbour.equal(ops::sampled_neighbours(tensors, 3, 7).in_neighbour));
  EXPECT_FALSE(sample.in_neighbour.equal(ops::sampled_neighbours(tensors, 3, 8).in_neighbour));
  EXPECT_TRUE(ops::sampled_neighbours(tensors, 1000, 7).in_neighbour.equal(tensors.in_neighbour));
  EXPECT_EQ(sample.out_edge.numel(), sample.num_edges());
  EXPECT_EQ(ops::sampled_neighbours(GraphTensors(Graph()), 3, 1).num_edges(), 0);
  EXPECT_ERROR(ops::sampled_neighbours(tensors, 0, 1), "at most 0 neighbours");
}

TEST_F(NeighbourOps, AreRegisteredWithTorch) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("geniepath::neighbour_max", "");
  EXPECT_TRUE(c10::Dispatcher::singleton().findSchema({"geniepath::neighbour_sum", ""}).has_value());
  EXPECT_TRUE(c10::Dispatcher::singleton().findSchema({"geniepath::gat_attention", ""}).has_value());
  const at::Tensor h = at::randn({7, 4});
  const c10::List<at::Tensor> graph({tensors_.in_offset, tensors_.in_neighbour, tensors_.out_offset,
                                     tensors_.out_neighbour, tensors_.out_edge});
  torch::jit::Stack stack{h, graph, false};
  op.callBoxed(stack);
  EXPECT_TRUE(stack[0].toTensor().equal(ops::neighbour_max(tensors_, h)));
}

TEST_F(NeighbourOps, SayWhatIsWrong) {
  const at::Tensor h = at::randn({7, 6}), s = at::randn({7, 2});
  EXPECT_ERROR(ops::neighbour_sum(tensors_, at::randn({3, 5})),
               "neighbour_sum: h has 3 rows but the graph has 7 nodes");
  EXPECT_ERROR(ops::neighbour_sum(tensors_, h, at::ones({6})), "destination_scale has shape [6], expected [7]");
  EXPECT_ERROR(ops::neighbour_sum(tensors_, h, {}, at::ones({7}, at::kDouble)), "source_scale has dtype Double");
  EXPECT_ERROR(ops::neighbour_max(tensors_, at::randn({7})), "neighbour_max: h has 1 dimensions, expected 2");
  EXPECT_ERROR(ops::gat_attention(tensors_, s, at::randn({7, 3}), h), "src has 3 columns, expected 2");
  EXPECT_ERROR(ops::gat_attention(tensors_, at::randn({7, 4}), at::randn({7, 4}), h), "6 columns, which 4 heads");
  EXPECT_ERROR(ops::gat_attention(tensors_, s, s, h, {0.2, 1.0, 0}), "dropout is 1, expected 0 to below 1");
  EXPECT_ERROR(ops::dropout(SparseTensors(SparseMatrix{1, 1, std::vector<int64_t>{0, 0}, {}, {}}), -1, 0),
               "rate is -1");
  EXPECT_ERROR(ops::neighbour_sequences(tensors_, 0, 1), "at most 0 neighbours");
}

}  // namespace
}  // namespace geniepath
