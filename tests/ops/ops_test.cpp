#include "geniepath/ops.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "expect_error.h"
#include "gradient_check.h"
#include "kernels/cpu/instruction_set.h"
#include "small_graph.h"

namespace geniepath {
namespace {

using testing::expect_gradients;
using testing::leaf;
using testing::mixed;
using testing::Tensors;

class Ops : public testing::SmallGraphTest {};

TEST_F(Ops, EdgeAttentionGradients) {
  expect_gradients([&](const Tensors& x) { return mixed(ops::edge_attention(tensors_, x[0], x[1], x[2])); },
                   {leaf({7, 10}), leaf({7, 5}), leaf({5})});
}

// Equation att-mech with torch's operators on all pairs; a duplicate edge counts twice.
TEST_F(Ops, EdgeAttentionIsThePapersFormula) {
  at::Tensor times = at::zeros({7, 7}, at::kDouble);
  for (NodeId i = 0; i < 7; ++i) {
    for (const NodeId j : graph_.incoming().neighbours(i)) times[i][j] += 1;
  }
  const at::Tensor a = at::randn({7, 5}, at::kDouble), b = at::randn({7, 5}, at::kDouble),
                   h = at::randn({7, 5}, at::kDouble), v = at::randn({5}, at::kDouble);
  const at::Tensor score = (at::tanh(a.unsqueeze(1) + b.unsqueeze(0)) * v).sum(2);
  const at::Tensor weight = times * score.exp(), sum = weight.sum(1, true);
  const at::Tensor alpha = at::where(sum > 0, weight / sum, at::zeros_like(weight));
  const at::Tensor found = ops::edge_attention(tensors_, at::cat({a, b}, 1), h, v);
  EXPECT_TRUE(at::allclose(found, alpha.mm(h), 1e-10, 1e-12)) << found;
}

// Equations of the depth function: the columns of w are those of w_i, w_f, w_o and w_c; mu follows h.
TEST_F(Ops, GatedMemoryIsThePapersFormula) {
  const auto random = [](at::IntArrayRef shape) { return at::randn(shape, at::kDouble); };
  const at::Tensor h = random({4, 3}), mu = random({4, 3}), w = random({6, 12}), bias = random({12}),
                   memory = random({4, 3});
  const auto gates = (at::cat({h, mu}, 1).mm(w) + bias).chunk(4, 1);
  const at::Tensor new_memory = at::sigmoid(gates[1]) * memory + at::sigmoid(gates[0]) * at::tanh(gates[3]);
  const auto [out, kept] = ops::gated_memory(h, mu, w, bias, memory);
  EXPECT_TRUE(at::allclose(kept, new_memory, 1e-10, 1e-12));
  EXPECT_TRUE(at::allclose(out, at::sigmoid(gates[2]) * at::tanh(new_memory), 1e-10, 1e-12));
}

TEST_F(Ops, LinearIsTheProduct) {
  const at::Tensor x = at::randn({4, 3}), w = at::randn({3, 5}), b = at::randn({5});
  EXPECT_TRUE(at::allclose(ops::linear(x, w, b), x.mm(w) + b, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(ops::linear(x, w, b, Activation::kTanh), at::tanh(x.mm(w) + b), 1e-5, 1e-6));
}

TEST_F(Ops, ProjectedAttentionIsAttentionOverProjections) {
  expect_gradients([&](const Tensors& x) { return mixed(ops::projected_attention(tensors_, x[0], x[1], x[2])); },
                   {leaf({7, 5}), leaf({5, 10}), leaf({5})});
  const at::Tensor h = at::randn({7, 5}), w = at::randn({5, 10}), v = at::randn({5});
  EXPECT_TRUE(at::allclose(ops::projected_attention(tensors_, h, w, v),
                           ops::edge_attention(tensors_, ops::linear(h, w), h, v), 1e-5, 1e-6));
  EXPECT_ERROR(ops::projected_attention(tensors_, h, at::randn({5, 9}), v), "w has 9 columns, expected 10");
}

TEST_F(Ops, LinearGradients) {
  for (const Activation activation : {Activation::kNone, Activation::kTanh}) {
    expect_gradients([&](const Tensors& x) { return mixed(ops::linear(x[0], x[1], x[2], activation)); },
                     {leaf({4, 3}), leaf({3, 5}), leaf({5})});
    expect_gradients([&](const Tensors& x) { return mixed(ops::linear(x[0], x[1], {}, activation)); },
                     {leaf({4, 3}), leaf({3, 5})});
  }
}

TEST_F(Ops, GatedMemoryGradients) {
  const auto both = [](const std::tuple<at::Tensor, at::Tensor>& result) {
    return mixed(std::get<0>(result)) + 0.5 * mixed(std::get<1>(result));
  };
  expect_gradients([&](const Tensors& x) { return both(ops::gated_memory(x[0], {}, x[1], {}, {})); },
                   {leaf({4, 3}), leaf({3, 12})});
  expect_gradients([&](const Tensors& x) { return both(ops::gated_memory(x[0], x[1], x[2], x[3], x[4])); },
                   {leaf({4, 3}), leaf({4, 3}), leaf({6, 12}), leaf({12}), leaf({4, 3})});
  expect_gradients([&](const Tensors& x) { return mixed(std::get<1>(ops::gated_memory(x[0], {}, x[1], {}, x[2]))); },
                   {leaf({4, 3}), leaf({3, 12}), leaf({4, 3})});
}

TEST_F(Ops, GatedMemoryOfNoRowsHasNoGradient) {
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    const auto ones = [&](at::IntArrayRef shape) { return at::ones(shape, type).requires_grad_(); };
    const at::Tensor x = ones({0, 3}), w = ones({3, 12}), bias = ones({12});
    const auto [out, memory] = ops::gated_memory(x, {}, w, bias, {});
    (out.sum() + memory.sum()).backward();
    EXPECT_TRUE(w.grad().equal(at::zeros({3, 12}, type)));
    EXPECT_TRUE(bias.grad().equal(at::zeros({12}, type)));
  }
}

SparseMatrix small_sparse() {
  return {4, 6, std::vector<int64_t>{0, 2, 2, 3, 6}, std::vector<int32_t>{1, 4, 0, 1, 3, 5},
          std::vector<float>{1.0f, -2.0f, 0.5f, 3.0f, 1.5f, -1.0f}};
}

TEST_F(Ops, SparseLinearIsTheDenseProductWithItsGradients) {
  const SparseMatrix matrix = small_sparse();
  const SparseTensors x(matrix);
  const at::Tensor w = at::randn({6, 3});
  EXPECT_TRUE(at::allclose(ops::sparse_linear(x, w), matrix.to_dense().mm(w), 1e-6, 1e-6));
  expect_gradients([&](const Tensors& t) { return mixed(ops::sparse_linear(x, t[0])); }, {leaf({6, 3})});
}

TEST_F(Ops, DropoutGradients) {
  expect_gradients([&](const Tensors& x) { return mixed(ops::dropout(x[0], 0.4, 9)); }, {leaf({6, 5})});
  const at::Tensor x = at::randn({3});
  EXPECT_TRUE(ops::dropout(x, 0, 1).is_same(x));
}

// The fused f32 path against the same operation in f64, forward and backward, over several blocks of rows.
TEST_F(Ops, FusedAgreesWithF64) {
  const int64_t nodes = 5000, width = 24;
  const GraphTensors graph(testing::random_graph(nodes, 20000, 4));
  const auto layer = [&](const Tensors& x, Precision precision) {
    const at::Tensor ab = ops::linear(x[0], x[1], {}, Activation::kNone, precision);
    const at::Tensor agg = ops::edge_attention(graph, ab, x[0], x[2], precision);
    const at::Tensor h = ops::linear(agg, x[3], {}, Activation::kTanh, precision);
    const auto [out, memory] = ops::gated_memory(h, x[0], x[4], x[5], x[6], precision);
    return mixed(out) + mixed(memory);
  };
  Tensors exact{leaf({nodes, width}), leaf({width, 2 * width}, .2), leaf({width}), leaf({width, width}, .2),
                leaf({2 * width, 4 * width}, .2), leaf({4 * width}), leaf({nodes, width})};
  layer(exact, Precision::kF32).backward();
  for (const Precision precision : {Precision::kF32, Precision::kBf16}) {
    Tensors found;
    for (const at::Tensor& t : exact) found.push_back(t.detach().to(at::kFloat).requires_grad_());
    layer(found, precision).backward();
    for (size_t t = 0; t < exact.size(); ++t) {
      const double scale = exact[t].grad().abs().max().item<double>();
      const double gap = (found[t].grad().to(at::kDouble) - exact[t].grad()).abs().max().item<double>();
      EXPECT_LT(gap / scale, precision == Precision::kF32 ? 2e-5 : 3e-2) << "leaf " << t;
    }
  }
}

// We do not call it, but users of the library may; on some processors LibTorch's oneDNN dies of its tile instructions.
TEST_F(Ops, LibTorchsOwnBf16ProductSurvives) {
  using kernels::cpu::InstructionSet;
  if (kernels::cpu::instruction_set_limit() < InstructionSet::kAvx512)
    GTEST_SKIP() << "LibTorch does not know the limit";
  const at::Tensor ones = at::ones({128, 128}, at::kBFloat16);
  EXPECT_TRUE(at::mm(ones, ones).eq(128).all().item<bool>());
}

TEST_F(Ops, RepeatedRunsGiveTheSameBits) {
  const GraphTensors graph(testing::star_graph(4000));
  const at::Tensor ab = at::randn({4000, 32}).requires_grad_(), h = at::randn({4000, 16}).requires_grad_(),
                   v = at::randn({16}).requires_grad_();
  const auto run = [&] {
    for (const at::Tensor& t : {ab, h, v}) t.mutable_grad() = at::Tensor();
    at::Tensor out = ops::edge_attention(graph, ab, h, v);
    mixed(out).backward();
    return Tensors{out.detach(), ab.grad(), h.grad(), v.grad()};
  };
  const Tensors first = run(), second = run();
  for (size_t t = 0; t < first.size(); ++t) EXPECT_TRUE(first[t].equal(second[t])) << t;
}

TEST_F(Ops, WeightsAreTheAlphaUsed) {
  const at::Tensor ab = at::randn({7, 10}), h = at::randn({7, 5}), v = at::randn({5});
  const at::Tensor alpha = ops::edge_attention_weights(tensors_, ab, v);
  at::Tensor agg = at::zeros({7, 5});
  for (NodeId i = 0; i < 7; ++i) {
    for (EdgeId e = graph_.incoming().offset[i]; e < graph_.incoming().offset[i + 1]; ++e) {
      agg[i] += alpha[e] * h[graph_.incoming().neighbour[e]];
    }
  }
  EXPECT_TRUE(at::allclose(agg, ops::edge_attention(tensors_, ab, h, v), 1e-5, 1e-6));
}

TEST_F(Ops, AreRegisteredWithTorch) {
  for (const std::string name :
       {"edge_attention", "projected_attention", "linear", "gated_memory", "sparse_linear", "dropout"}) {
    for (const std::string pass : {"", "_forward", "_backward"}) {
      const auto found = c10::Dispatcher::singleton().findSchema({"geniepath::" + name + pass, ""});
      ASSERT_TRUE(found.has_value()) << name << pass;
      EXPECT_TRUE(found->hasKernelForDispatchKey(c10::DispatchKey::CPU)) << name << pass;
      EXPECT_TRUE(found->hasKernelForDispatchKey(c10::DispatchKey::CUDA)) << name << pass;
    }
  }
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("geniepath::dropout", "");
  const at::Tensor x = at::randn({50});
  torch::jit::Stack stack{x, 0.5, at::full({1}, 3, at::kLong)};
  op.callBoxed(stack);
  EXPECT_TRUE(stack[0].toTensor().equal(ops::dropout(x, 0.5, 3)));
}

TEST_F(Ops, SayWhatIsWrong) {
  const at::Tensor ab = at::randn({7, 10}), h = at::randn({7, 5}), v = at::randn({5});
  EXPECT_ERROR(ops::edge_attention(tensors_, ab, at::randn({3, 5}), v), "h has 3 rows but the graph has 7 nodes");
  EXPECT_ERROR(ops::edge_attention(tensors_, at::randn({7, 9}), h, v), "ab has 9 columns, expected 10");
  EXPECT_ERROR(ops::edge_attention(tensors_, ab, h, at::randn({4})), "v has shape [4], expected [5]");
  EXPECT_ERROR(ops::edge_attention(tensors_, ab, h, at::randn({5}, at::kDouble)), "v has dtype Double, expected Float");
  EXPECT_ERROR(ops::edge_attention(tensors_, ab, at::ones({7, 5}, at::kLong), v),
               "h has dtype Long, expected f32 or f64");
  EXPECT_ERROR(ops::linear(h, at::randn({4, 2})), "w has 4 rows, expected 5");
  EXPECT_ERROR(ops::linear(at::randn({5}), v), "x has 1 dimensions, expected 2");
  EXPECT_ERROR(ops::gated_memory(h, {}, at::randn({5, 19}), {}, {}), "w has 19 columns, expected 20");
  EXPECT_ERROR(ops::gated_memory(h, at::randn({6, 5}), at::randn({10, 20}), {}, {}), "mu has 6 rows, expected 7");
  EXPECT_ERROR(ops::sparse_linear(SparseTensors(small_sparse()), at::randn({5, 2})), "w has 5 rows, expected 6");
  EXPECT_ERROR(ops::dropout(h, 1.0, 1), "rate is 1, expected 0 to below 1");
  EXPECT_ERROR(ops::linear({}, v), "x is undefined");
}

// Kernels cannot be followed by autograd: without this, second derivatives would silently lack terms.
TEST_F(Ops, HaveNoSecondDerivativeAndSaySo) {
  const at::Tensor h = at::randn({7, 5}).requires_grad_(), w = at::randn({5, 10}), v = at::randn({5});
  const auto refused = [&](const at::Tensor& y, const char* message) {
    const at::Tensor gradient = torch::autograd::grad({y.square().sum()}, {h}, {}, true, true)[0];
    try {
      gradient.sum().backward();
      ADD_FAILURE() << message << ": differentiated twice";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refused(ops::linear(h, w), "linear: has no second derivative");
  refused(ops::projected_attention(tensors_, h, w, v), "projected_attention: has no second derivative");
  refused(std::get<0>(ops::gated_memory(h, {}, at::cat({w, w}, 1), {}, {})), "gated_memory: has no second derivative");
}

TEST_F(Ops, RefuseAGraphFromOutsideThatIsNotOne) {
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("geniepath::edge_attention", "");
  const auto call = [&](const at::Tensor& in_offset, const at::Tensor& in_neighbour) {
    const c10::List<at::Tensor> graph({in_offset, in_neighbour, tensors_.out_offset, tensors_.out_neighbour,
                                       tensors_.out_edge});
    torch::jit::Stack stack{at::randn({7, 10}), at::randn({7, 5}), at::randn({5}), graph, "f32"};
    op.callBoxed(stack);
    return stack[0].toTensor();
  };
  EXPECT_EQ(call(tensors_.in_offset, tensors_.in_neighbour).size(0), 7);
  EXPECT_ERROR(call(tensors_.in_offset, tensors_.in_neighbour + 7), ", expected 0 to below 7");
  EXPECT_ERROR(call(tensors_.in_offset.flip(0), tensors_.in_neighbour), "is below");
  EXPECT_ERROR(call(tensors_.in_offset.to(at::kInt), tensors_.in_neighbour), "must be int64");
  const auto call_with = [&](const c10::List<at::Tensor>& graph) {
    torch::jit::Stack stack{at::randn({7, 10}), at::randn({7, 5}), at::randn({5}), graph, "f32"};
    op.callBoxed(stack);
  };
  EXPECT_ERROR(call_with(c10::List<at::Tensor>()),
               "the graph has 0 tensors, expected an edge_index, or the 5 or 13 of a graph");
  std::vector<at::Tensor> of_a_gpu = tensors_of(tensors_);
  of_a_gpu.resize(13, at::zeros({1}, at::kInt));
  EXPECT_ERROR(call_with(c10::List<at::Tensor>(of_a_gpu)),
               "the graph's 13 tensors are on cpu and h is on cpu, expected one GPU");
}

}  // namespace
}  // namespace geniepath
