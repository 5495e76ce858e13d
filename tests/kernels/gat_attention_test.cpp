#include "kernels/cpu/gat_attention.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"
#include "kernels/as_exact_as_plain.h"
#include "kernels/reference/gat_attention.h"

namespace geniepath::kernels {
namespace {

using testing::cast;
using testing::distance;
using testing::expect_as_exact_as_plain;

struct Setting {
  int64_t heads, width;
  double dropout = 0;
  double scale = 1;
};

// Inputs and all results of one attention, forward and backward.
template <class T>
struct GatAttention {
  std::vector<T> dst, src, h, grad_out;
  std::vector<T> out, lse, delta, grad_dst, grad_src, grad_h;
  int64_t nodes, heads, width;

  GatAttention(const Graph& graph, const Setting& setting)
      : nodes(graph.num_nodes()), heads(setting.heads), width(setting.width) {
    const auto scores = static_cast<size_t>(nodes * heads), values = scores * static_cast<size_t>(width);
    dst = cast<T>(testing::normal_values(scores, {1}, setting.scale));
    src = cast<T>(testing::normal_values(scores, {2}, setting.scale));
    h = cast<T>(testing::normal_values(values, {3}));
    grad_out = cast<T>(testing::normal_values(values, {4}));
    for (auto* x : {&out, &grad_h}) x->assign(values, T(-7));  // poison: every element must be written
    for (auto* x : {&lse, &delta, &grad_dst, &grad_src}) x->assign(scores, T(-7));
  }
  void make_delta() {
    for (int64_t n = 0; n < nodes * heads; ++n) {
      T sum = 0;
      for (int64_t k = n * width; k < (n + 1) * width; ++k)
        sum += grad_out[static_cast<size_t>(k)] * out[static_cast<size_t>(k)];
      delta[static_cast<size_t>(n)] = sum;
    }
  }
};

constexpr uint64_t kKey = 77;

template <class T>
GatAttention<T> by_formula(const Graph& graph, const Setting& setting) {
  GatAttention<T> x(graph, setting);
  const Rows rows = testing::incoming_rows(graph);
  const reference::GatScores<T> scores{setting.heads, T(0.2f), x.dst.data(), x.src.data(), setting.dropout, kKey};
  reference::gat_attention_forward<T>(rows, setting.width, scores, x.h.data(), x.out.data(), x.lse.data());
  x.make_delta();
  reference::gat_attention_backward<T>(rows, setting.width, scores, x.h.data(), x.lse.data(), x.delta.data(),
                                       x.grad_out.data(), x.grad_dst.data(), x.grad_src.data(), x.grad_h.data());
  return x;
}

// Each pass in two, the rows from `cut` on first.
GatAttention<float> by_kernel(const Graph& graph, const Setting& setting, int threads = 2, int64_t cut = 0) {
  GatAttention<float> x(graph, setting);
  const cpu::GatScores scores{setting.heads, setting.width, 0.2f, x.dst.data(), x.src.data(), setting.dropout, kKey};
  std::vector<float> grad_score(static_cast<size_t>(graph.num_edges() * setting.heads), -7.0f);
  const Rows incoming = testing::incoming_rows(graph), outgoing = testing::outgoing_rows(graph);
  for (const Rows& rows : testing::in_two(incoming, cut)) {
    cpu::run(cpu::GatAttentionForward{rows, scores, x.h.data(), x.out.data(), x.lse.data(), threads});
  }
  x.make_delta();
  for (const Rows& rows : testing::in_two(outgoing, cut)) {
    cpu::run(cpu::GatAttentionBackwardBySource{rows, scores, x.h.data(), x.delta.data(), x.grad_out.data(),
                                               x.grad_h.data(), grad_score.data(), x.lse.data(), x.grad_src.data(),
                                               threads});
  }
  for (const Rows& rows : testing::in_two(incoming, cut)) {
    cpu::run(cpu::EdgeSums{rows, setting.heads, grad_score.data(), x.grad_dst.data(), threads});
  }
  return x;
}

TEST(GatAttention, MatchesTheFormulaOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const Setting& setting : {Setting{1, 1}, Setting{1, 33}, Setting{3, 5}, Setting{8, 8}, Setting{2, 64},
                                   Setting{4, 17, 0.4}, Setting{2, 8, 0, 30}}) {
      SCOPED_TRACE(name + ", " + std::to_string(setting.heads) + " heads of " + std::to_string(setting.width));
      const auto exact = by_formula<double>(graph, setting);
      const auto plain = by_formula<float>(graph, setting);
      const auto found = by_kernel(graph, setting);
      expect_as_exact_as_plain(found.out, plain.out, exact.out, "out");
      expect_as_exact_as_plain(found.lse, plain.lse, exact.lse, "lse");
      expect_as_exact_as_plain(found.grad_dst, plain.grad_dst, exact.grad_dst, "grad_dst");
      expect_as_exact_as_plain(found.grad_src, plain.grad_src, exact.grad_src, "grad_src");
      expect_as_exact_as_plain(found.grad_h, plain.grad_h, exact.grad_h, "grad_h");
    }
  }
}

void expect_equal(const GatAttention<float>& one, const GatAttention<float>& other) {
  EXPECT_EQ(one.out, other.out);
  EXPECT_EQ(one.lse, other.lse);
  EXPECT_EQ(one.grad_dst, other.grad_dst);
  EXPECT_EQ(one.grad_src, other.grad_src);
  EXPECT_EQ(one.grad_h, other.grad_h);
}

TEST(GatAttention, InTwoRangesOfRowsIsThatOfAllRows) {
  const Graph graph = testing::random_graph(60, 300, 5);
  const Setting setting{2, 9, 0.3};
  for (const int64_t cut : {1, 30, 59}) expect_equal(by_kernel(graph, setting, 2, cut), by_kernel(graph, setting));
}

TEST(GatAttention, TheSameBitsWithAnyNumberOfThreads) {
  const Graph graph = testing::star_graph(5000);
  const Setting setting{4, 10, 0.3};
  expect_equal(by_kernel(graph, setting, 1), by_kernel(graph, setting, 3));
}

}  // namespace
}  // namespace geniepath::kernels
