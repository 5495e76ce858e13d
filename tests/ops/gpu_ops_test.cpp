// Every operation on the GPU against the same operation's formula in f64 on the CPU.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "geniepath/ops.h"
#include "graphs_that_hurt.h"
#include "require_gpu.h"

namespace geniepath {
namespace {

using Tensors = std::vector<at::Tensor>;
using Function = std::function<Tensors(const Tensors&)>;

const at::Device kGpu(at::kCUDA, 0);

at::Tensor normal(at::IntArrayRef shape, uint64_t seed, double scale = 1) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  const std::vector<float> values = testing::normal_values(static_cast<size_t>(count), {seed}, scale);
  return at::tensor(at::ArrayRef<float>(values)).view(shape);
}

// Outputs and gradients, differentiated with fixed output gradients, on the given device and in the given type.
Tensors forward_backward(const Function& function, const Tensors& leaves, const Tensors& grad_outputs,
                         at::Device device, at::ScalarType type) {
  Tensors here, grads;
  for (const at::Tensor& leaf : leaves) here.push_back(leaf.to(device).to(type).detach().clone().requires_grad_());
  for (const at::Tensor& grad : grad_outputs) grads.push_back(grad.to(device).to(type));
  Tensors results = function(here);
  torch::autograd::backward(results, grads);
  for (at::Tensor& result : results) result = result.detach();
  for (const at::Tensor& leaf : here) results.push_back(leaf.grad());
  return results;
}

void expect_near(const Tensors& found, const Tensors& exact, double tolerance) {
  ASSERT_EQ(found.size(), exact.size());
  for (size_t t = 0; t < found.size(); ++t) {
    ASSERT_EQ(found[t].sizes(), exact[t].sizes()) << "result " << t;
    if (exact[t].numel() == 0) continue;
    const double gap = (found[t].cpu().to(at::kDouble) - exact[t]).abs().max().item<double>();
    EXPECT_LE(gap, tolerance * std::max(1.0, exact[t].abs().max().item<double>())) << "result " << t;
  }
}

struct AttentionCase {
  GraphTensors graph;
  Tensors leaves, grad_outputs;

  AttentionCase(const Graph& of, int64_t width, double scale = 1) : graph(of) {
    const int64_t nodes = of.num_nodes();
    leaves = {normal({nodes, 2 * width}, 1, scale), normal({nodes, width}, 2), normal({width}, 3, 0.5)};
    grad_outputs = {normal({nodes, width}, 4)};
  }
  Tensors on(at::Device device, at::ScalarType type, Precision precision = Precision::kF32) const {
    const GraphTensors there = device.is_cuda() ? graph.to(device) : graph;
    const Function attention = [&](const Tensors& x) -> Tensors {
      return {ops::edge_attention(there, x[0], x[1], x[2], precision)};
    };
    return forward_backward(attention, leaves, grad_outputs, device, type);
  }
};

TEST(GpuOps, EdgeAttentionOnGraphsThatHurt) {
  REQUIRE_GPU();
  auto graphs = testing::graphs_that_hurt();
  graphs.push_back({"a row of one piece and one edge", testing::star_graph(129)});
  graphs.push_back({"a hub of 20000", testing::star_graph(20000)});
  for (const auto& [name, graph] : graphs) {
    for (const int64_t width : {1, 3, 4, 15, 16, 17, 32, 33, 64, 96, 128, 130, 256, 257, 512, 1024, 1500, 2048}) {
      if (graph.num_nodes() > 5000 && width > 128) continue;
      SCOPED_TRACE(name + ", K " + std::to_string(width));
      const AttentionCase subject(graph, width);
      expect_near(subject.on(kGpu, at::kFloat), subject.on(at::kCPU, at::kDouble), 2e-5);
    }
  }
}

TEST(GpuOps, EdgeAttentionOfEveryWidthToEighty) {
  REQUIRE_GPU();
  const Graph graph = testing::random_graph(12, 60, 1);
  for (int64_t width = 1; width <= 80; ++width) {
    SCOPED_TRACE(width);
    const AttentionCase subject(graph, width);
    expect_near(subject.on(kGpu, at::kFloat), subject.on(at::kCPU, at::kDouble), 1e-5);
  }
}

TEST(GpuOps, EdgeAttentionIsAsExactAsOnTheCpu) {
  REQUIRE_GPU();
  const AttentionCase subject(testing::random_graph(500, 9000, 6), 256);
  const Tensors exact = subject.on(at::kCPU, at::kDouble), cpu = subject.on(at::kCPU, at::kFloat);
  const Tensors gpu = subject.on(kGpu, at::kFloat);
  for (size_t t = 0; t < exact.size(); ++t) {
    const auto error = [&](const at::Tensor& x) {
      return (x.cpu().to(at::kDouble) - exact[t]).abs().max().item<double>();
    };
    EXPECT_LE(error(gpu[t]), 2 * error(cpu[t]) + 1e-6 * exact[t].abs().max().item<double>()) << t;
  }
}

TEST(GpuOps, EdgeAttentionInBf16KeepsAboutThreeDigits) {
  REQUIRE_GPU();
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const int64_t width : {33, 256}) {
      SCOPED_TRACE(name + ", K " + std::to_string(width));
      const AttentionCase subject(graph, width);
      expect_near(subject.on(kGpu, at::kFloat, Precision::kBf16), subject.on(at::kCPU, at::kDouble), 0.05);
    }
  }
}

TEST(GpuOps, EdgeAttentionGivesTheSameBitsAgain) {
  REQUIRE_GPU();
  const AttentionCase subject(testing::star_graph(5000), 64);
  const Tensors once = subject.on(kGpu, at::kFloat), again = subject.on(kGpu, at::kFloat);
  for (size_t t = 0; t < once.size(); ++t) EXPECT_TRUE(at::equal(once[t], again[t])) << t;
}

TEST(GpuOps, WideOffsetsGiveTheSameBits) {
  REQUIRE_GPU();
  const AttentionCase subject(testing::random_graph(60, 900, 3), 32);
  GraphTensors narrow = subject.graph.to(kGpu), wide = narrow;
  ASSERT_EQ(narrow.in_offset.scalar_type(), at::kInt);
  wide.in_offset = narrow.in_offset.to(at::kLong);
  wide.out_offset = narrow.out_offset.to(at::kLong), wide.out_edge = narrow.out_edge.to(at::kLong);
  const auto run = [&](const GraphTensors& graph) {
    return forward_backward([&](const Tensors& x) -> Tensors { return {ops::edge_attention(graph, x[0], x[1], x[2])}; },
                            subject.leaves, subject.grad_outputs, kGpu, at::kFloat);
  };
  const Tensors a = run(narrow), b = run(wide);
  for (size_t t = 0; t < a.size(); ++t) EXPECT_TRUE(at::equal(a[t], b[t])) << t;
}

TEST(GpuOps, AlphaOfEveryEdge) {
  REQUIRE_GPU();
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    SCOPED_TRACE(name);
    const GraphTensors here(graph);
    const at::Tensor ab = normal({graph.num_nodes(), 48}, 1), v = normal({24}, 2);
    const at::Tensor found = ops::edge_attention_weights(here.to(kGpu), ab.to(kGpu), v.to(kGpu));
    expect_near({found}, {ops::edge_attention_weights(here, ab.to(at::kDouble), v.to(at::kDouble))}, 1e-5);
  }
}

TEST(GpuOps, LargePreActivationsStayFinite) {
  REQUIRE_GPU();
  for (const double scale : {100.0, 1e4, 1e30}) {
    for (const at::Tensor& x : AttentionCase(testing::random_graph(20, 200, 5), 24, scale).on(kGpu, at::kFloat)) {
      EXPECT_TRUE(at::isfinite(x).all().item<bool>()) << scale;
    }
  }
}

TEST(GpuOps, ProjectedAttention) {
  REQUIRE_GPU();
  const Graph graph = testing::random_graph(60, 900, 3);
  const GraphTensors here(graph);
  for (const int64_t width : {5, 64}) {
    const Tensors leaves{normal({60, width}, 1), normal({width, 2 * width}, 2, 0.3), normal({width}, 3)};
    const auto run = [&](at::Device device, at::ScalarType type) {
      const GraphTensors there = here.to(device);
      return forward_backward(
          [&](const Tensors& x) -> Tensors { return {ops::projected_attention(there, x[0], x[1], x[2])}; }, leaves,
          {normal({60, width}, 4)}, device, type);
    };
    expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 5e-5);
  }
}

TEST(GpuOps, SigmoidCrossEntropyIsLibTorchs) {
  REQUIRE_GPU();
  const at::Tensor targets = (normal({37, 11}, 2) > 0).to(at::kFloat), weight = normal({11}, 3).abs() + 0.1;
  for (const bool weighted : {false, true}) {
    const auto run = [&](at::Device device, at::ScalarType type) {
      const auto there = [&](const at::Tensor& x) { return x.to(device).to(type); };
      return forward_backward(
          [&](const Tensors& x) -> Tensors {
            return {ops::sigmoid_cross_entropy(x[0], there(targets), weighted ? there(weight) : at::Tensor())};
          },
          {normal({37, 11}, 1, 20)}, {at::full({}, 3.0f)}, device, type);
    };
    expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 1e-5);
  }
}

TEST(GpuOps, LinearWithAndWithoutTanh) {
  REQUIRE_GPU();
  for (const auto& [rows, features, width] : {std::array<int64_t, 3>{1, 1, 1}, {37, 19, 23}, {300, 64, 128}}) {
    const Tensors leaves{normal({rows, features}, 1), normal({features, width}, 2, 0.3), normal({width}, 3)};
    for (const Activation activation : {Activation::kNone, Activation::kTanh}) {
      const Function linear = [&](const Tensors& x) -> Tensors { return {ops::linear(x[0], x[1], x[2], activation)}; };
      const auto run = [&](at::Device device, at::ScalarType type) {
        return forward_backward(linear, leaves, {normal({rows, width}, 4)}, device, type);
      };
      expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 2e-5);
    }
  }
}

// Enough rows that the weights are transposed for TF32; a single column, as in binary tasks, then becomes a single row.
TEST(GpuOps, LinearOfManyRowsRoundedToTf32) {
  REQUIRE_GPU();
  constexpr int64_t kRows = 9000;
  for (const auto& [features, width] : {std::array<int64_t, 2>{16, 1}, {1, 16}, {1, 1}, {50, 7}}) {
    const Tensors leaves{normal({kRows, features}, 1), normal({features, width}, 2, 0.3), normal({width}, 3)};
    const auto run = [&](at::Device device, at::ScalarType type, Precision precision) {
      const Function linear = [&](const Tensors& x) -> Tensors {
        return {ops::linear(x[0], x[1], x[2], Activation::kNone, precision)};
      };
      return forward_backward(linear, leaves, {normal({kRows, width}, 4, 0.01)}, device, type);
    };
    expect_near(run(kGpu, at::kFloat, Precision::kTf32), run(at::kCPU, at::kDouble, Precision::kF32), 5e-3);
  }
}

// Row 0 is full and long enough to be split; the others have a few entries.
SparseMatrix random_matrix(int64_t rows, int64_t columns) {
  Random random{5};
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      if (r != 0 && random.uniform() > 0.1) continue;
      column.push_back(static_cast<int32_t>(c));
      value.push_back(static_cast<float>(random.uniform()));
    }
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  return {rows, columns, std::move(offset), std::move(column), std::move(value)};
}

TEST(GpuOps, SparseLinear) {
  REQUIRE_GPU();
  for (const int64_t width : {1, 16, 50, 256}) {
    SCOPED_TRACE(width);
    const SparseTensors here(random_matrix(400, 300));
    const Tensors leaves{normal({300, width}, 7)};
    const auto run = [&](at::Device device, at::ScalarType type) {
      const SparseTensors x = device.is_cuda() ? here.to(device) : here;
      return forward_backward([&](const Tensors& w) -> Tensors { return {ops::sparse_linear(x, w[0])}; }, leaves,
                              {normal({400, width}, 8)}, device, type);
    };
    expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 2e-5);
  }
}

TEST(GpuOps, GatedMemoryInAllItsForms) {
  REQUIRE_GPU();
  for (const auto& [rows, width] : {std::array<int64_t, 2>{1, 1}, {33, 7}, {300, 16}, {9000, 256}}) {
    for (const bool with_mu : {false, true}) {
      for (const bool with_memory : {false, true}) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(width));
        Tensors leaves{normal({rows, width}, 1), normal({(with_mu ? 2 : 1) * width, 4 * width}, 2, 0.2),
                       normal({4 * width}, 3)};
        if (with_mu) leaves.push_back(normal({rows, width}, 4));
        if (with_memory) leaves.push_back(normal({rows, width}, 5));
        const Function gates = [&](const Tensors& x) -> Tensors {
          const auto [out, memory] = ops::gated_memory(x[0], with_mu ? x[3] : at::Tensor(), x[1], x[2],
                                                       with_memory ? x.back() : at::Tensor());
          return {out, memory};
        };
        const auto run = [&](at::Device device, at::ScalarType type) {
          return forward_backward(gates, leaves, {normal({rows, width}, 6), normal({rows, width}, 7)}, device, type);
        };
        expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 5e-5);
      }
    }
  }
}

TEST(GpuOps, SumsAndMaximaOverNeighbours) {
  REQUIRE_GPU();
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const int64_t width : {1, 7, 64, 130}) {
      SCOPED_TRACE(name + ", K " + std::to_string(width));
      const GraphTensors here(graph);
      const at::Tensor left = normal({graph.num_nodes()}, 5), right = normal({graph.num_nodes()}, 6);
      const auto run = [&](at::Device device, at::ScalarType type) {
        const GraphTensors there = here.to(device);
        const auto scale = [&](const at::Tensor& x) { return x.to(device).to(type); };
        const Function both = [&](const Tensors& x) -> Tensors {
          return {ops::neighbour_sum(there, x[0], scale(left), scale(right)), ops::neighbour_max(there, x[0]),
                  ops::neighbour_max(there, x[0], true)};
        };
        const at::Tensor grad = normal({graph.num_nodes(), width}, 7);
        return forward_backward(both, {normal({graph.num_nodes(), width}, 8)}, {grad, grad, grad}, device, type);
      };
      expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 2e-5);
    }
  }
}

TEST(GpuOps, GatAttentionOfAnyHeadsWithAndWithoutDropout) {
  REQUIRE_GPU();
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const auto& [heads, width] : {std::array<int64_t, 2>{1, 1}, {1, 64}, {3, 5}, {8, 8}, {4, 64}, {6, 121}}) {
      for (const double rate : {0.0, 0.3}) {
        SCOPED_TRACE(name + ", " + std::to_string(heads) + " heads of " + std::to_string(width));
        const int64_t nodes = graph.num_nodes();
        const GraphTensors here(graph);
        const Tensors leaves{normal({nodes, heads}, 1), normal({nodes, heads}, 2), normal({nodes, heads * width}, 3)};
        const auto run = [&](at::Device device, at::ScalarType type) {
          const GraphTensors there = here.to(device);
          const Function attention = [&](const Tensors& x) -> Tensors {
            return {ops::gat_attention(there, x[0], x[1], x[2], {.dropout = rate, .dropout_key = 9})};
          };
          return forward_backward(attention, leaves, {normal({nodes, heads * width}, 4)}, device, type);
        };
        expect_near(run(kGpu, at::kFloat), run(at::kCPU, at::kDouble), 2e-5);
      }
    }
  }
}

TEST(GpuOps, DropoutDrawsTheMaskOfTheCpu) {
  REQUIRE_GPU();
  const at::Tensor x = normal({37, 13}, 9);
  EXPECT_TRUE(at::allclose(ops::dropout(x.to(kGpu), 0.4, 77).cpu(), ops::dropout(x, 0.4, 77)));
  const MaskKey third(at::full({1}, 5, at::kLong), 3);
  EXPECT_TRUE(at::allclose(ops::dropout(x.to(kGpu), 0.4, third).cpu(), ops::dropout(x, 0.4, third)));
  const SparseTensors entries(random_matrix(30, 20)), there = entries.to(kGpu);
  const SparseTensors here_kept = ops::dropout(entries, 0.4, third), there_kept = ops::dropout(there, 0.4, third);
  EXPECT_TRUE(at::allclose(there_kept.value.cpu(), here_kept.value));
  EXPECT_TRUE(at::allclose(there_kept.transposed_value.cpu(), here_kept.transposed_value));
}

}  // namespace
}  // namespace geniepath
