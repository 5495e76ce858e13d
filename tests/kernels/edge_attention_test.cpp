#include "kernels/cpu/edge_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graphs_that_hurt.h"
#include "kernels/as_exact_as_plain.h"
#include "kernels/reference/edge_attention.h"

namespace geniepath::kernels {
namespace {

using testing::cast;
using testing::distance;
using testing::expect_as_exact_as_plain;

// Inputs and all results of one attention, forward and backward.
template <class T>
struct Attention {
  std::vector<T> ab, h, v, grad_agg;
  std::vector<T> agg, alpha, grad_ab, grad_h, grad_v;

  Attention(const Graph& graph, size_t width, double scale = 1) {
    const auto nodes = static_cast<size_t>(graph.num_nodes()), edges = static_cast<size_t>(graph.num_edges());
    ab = cast<T>(testing::normal_values(nodes * 2 * width, {1, width}, scale));
    h = cast<T>(testing::normal_values(nodes * width, {2, width}));
    v = cast<T>(testing::normal_values(width, {3, width}, 0.5));
    grad_agg = cast<T>(testing::normal_values(nodes * width, {4, width}));
    agg.assign(nodes * width, T(-7));  // poison: every element must be written
    alpha.assign(edges, T(-7));
    grad_ab.assign(nodes * 2 * width, T(-7));
    grad_h.assign(nodes * width, T(-7));
    grad_v.assign(width, T(-7));
  }
};

template <class T>
Attention<T> by_formula(const Graph& graph, size_t width, double scale = 1) {
  Attention<T> x(graph, width, scale);
  const Rows rows = testing::incoming_rows(graph);
  const auto k = static_cast<int64_t>(width);
  reference::edge_attention_forward<T>(rows, k, x.ab.data(), x.h.data(), x.v.data(), x.agg.data(), x.alpha.data());
  reference::edge_attention_backward<T>(rows, k, x.ab.data(), x.h.data(), x.v.data(), x.alpha.data(),
                                        x.grad_agg.data(), x.grad_ab.data(), x.grad_h.data(), x.grad_v.data());
  return x;
}

template <class S>
std::vector<S> stored(const std::vector<float>& values) {
  if constexpr (std::is_same_v<S, float>) {
    return values;
  } else {
    std::vector<S> half;
    for (const float x : values) half.push_back(to_bf16(x));
    return half;
  }
}

// Each pass in two, the rows from `cut` on first.
template <class S>
Attention<float> by_kernel(const Graph& graph, size_t width, double scale = 1, int threads = 2, NodeId cut = 0) {
  Attention<float> x(graph, width, scale);
  const auto k = static_cast<int64_t>(width);
  std::vector<S> pq(x.ab.size());
  const std::vector<S> h = stored<S>(x.h), g = stored<S>(x.grad_agg);
  std::vector<float> grad_score(x.alpha.size(), -7.0f), alpha_and_score(2 * x.alpha.size(), -7.0f), sum(width, 0.0f);
  cpu::run(cpu::ExpTwice<S>{static_cast<int64_t>(pq.size()), x.ab.data(), pq.data(), threads});
  for (const Rows& rows : testing::in_two(testing::incoming_rows(graph), cut)) {
    cpu::run(
        cpu::EdgeAttentionForward<S>{rows, k, pq.data(), h.data(), x.v.data(), x.agg.data(), x.alpha.data(), threads});
  }
  for (const Rows& rows : testing::in_two(testing::incoming_rows(graph), cut)) {
    cpu::run(cpu::EdgeAttentionBackwardByDestination<S>{
        rows, k, pq.data(), x.v.data(), x.grad_ab.data(), x.grad_v.data(), h.data(), x.agg.data(), x.alpha.data(),
        x.grad_agg.data(), grad_score.data(), alpha_and_score.data(), threads});
    for (size_t n = 0; n < width; ++n) sum[n] += x.grad_v[n];
  }
  x.grad_v = sum;
  for (const Rows& rows : testing::in_two(testing::outgoing_rows(graph), cut)) {
    cpu::run(cpu::EdgeAttentionBackwardBySource<S>{rows, k, pq.data(), x.v.data(), x.grad_ab.data(), g.data(),
                                                   x.grad_h.data(), alpha_and_score.data(), threads});
  }
  return x;
}

TEST(EdgeAttention, MatchesTheFormulaOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const size_t width : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, 300}) {
      SCOPED_TRACE(name + ", K " + std::to_string(width));
      const auto exact = by_formula<double>(graph, width);
      const auto plain = by_formula<float>(graph, width);
      const auto found = by_kernel<float>(graph, width);
      expect_as_exact_as_plain(found.agg, plain.agg, exact.agg, "agg");
      expect_as_exact_as_plain(found.alpha, plain.alpha, exact.alpha, "alpha");
      expect_as_exact_as_plain(found.grad_ab, plain.grad_ab, exact.grad_ab, "grad_ab");
      expect_as_exact_as_plain(found.grad_h, plain.grad_h, exact.grad_h, "grad_h");
      expect_as_exact_as_plain(found.grad_v, plain.grad_v, exact.grad_v, "grad_v");
    }
  }
}

TEST(EdgeAttention, InTwoRangesOfRowsIsThatOfAllRows) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const NodeId cut : {graph.num_nodes() / 3, graph.num_nodes()}) {
      SCOPED_TRACE(name + ", cut at " + std::to_string(cut));
      const auto exact = by_formula<double>(graph, 17);
      const auto plain = by_formula<float>(graph, 17);
      const auto found = by_kernel<float>(graph, 17, 1, 2, cut);
      expect_as_exact_as_plain(found.agg, plain.agg, exact.agg, "agg");
      expect_as_exact_as_plain(found.alpha, plain.alpha, exact.alpha, "alpha");
      expect_as_exact_as_plain(found.grad_ab, plain.grad_ab, exact.grad_ab, "grad_ab");
      expect_as_exact_as_plain(found.grad_h, plain.grad_h, exact.grad_h, "grad_h");
      expect_as_exact_as_plain(found.grad_v, plain.grad_v, exact.grad_v, "grad_v");
    }
  }
}

// Only the first R nodes, as used by src/explain: neighbours come after the last row.
TEST(EdgeAttention, OfSomeRowsIsThatOfAllRows) {
  const size_t width = 11;
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    const auto exact = by_formula<double>(graph, width);
    for (const NodeId some : {0, 1, graph.num_nodes() / 2}) {
      SCOPED_TRACE(name + ", " + std::to_string(some) + " rows");
      Attention<float> x(graph, width);
      Rows rows = testing::incoming_rows(graph);
      rows.count = some;
      const auto elements = static_cast<size_t>(some) * width, edges = static_cast<size_t>(rows.num_edges());
      std::vector<float> pq(x.ab.size()), agg(elements, -7.0f), alpha(edges, -7.0f);
      cpu::run(cpu::ExpTwice<float>{static_cast<int64_t>(pq.size()), x.ab.data(), pq.data(), 2});
      cpu::run(cpu::EdgeAttentionForward<float>{rows, static_cast<int64_t>(width), pq.data(), x.h.data(), x.v.data(),
                                                agg.data(), alpha.data(), 2});
      EXPECT_LT(distance(agg, std::vector<double>(exact.agg.begin(), exact.agg.begin() + static_cast<long>(elements))),
                1e-5);
      EXPECT_LT(
          distance(alpha, std::vector<double>(exact.alpha.begin(), exact.alpha.begin() + static_cast<long>(edges))),
          1e-5);
    }
  }
}

TEST(EdgeAttention, EveryWidthAroundTheVector) {
  const Graph graph = testing::random_graph(12, 60, 1);
  for (size_t width = 1; width <= 80; ++width) {
    const auto exact = by_formula<double>(graph, width);
    const auto found = by_kernel<float>(graph, width);
    EXPECT_LT(distance(found.agg, exact.agg), 1e-5) << width;
    EXPECT_LT(distance(found.grad_ab, exact.grad_ab), 5e-5) << width;
    EXPECT_LT(distance(found.grad_h, exact.grad_h), 5e-5) << width;
  }
}

TEST(EdgeAttention, TheAlphaOfARowSumToOne) {
  const Graph graph = testing::star_graph(3000);
  const auto found = by_kernel<float>(graph, 32);
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    double sum = 0;
    for (EdgeId e = graph.incoming().offset[i]; e < graph.incoming().offset[i + 1]; ++e) {
      sum += found.alpha[static_cast<size_t>(e)];
    }
    ASSERT_NEAR(sum, 1.0, 1e-5) << i;
  }
}

TEST(EdgeAttention, TheSameBitsWithAnyNumberOfThreads) {
  const Graph graph = testing::star_graph(5000);
  const auto one = by_kernel<float>(graph, 40, 1, 1), many = by_kernel<float>(graph, 40, 1, 3);
  EXPECT_EQ(one.agg, many.agg);
  EXPECT_EQ(one.alpha, many.alpha);
  EXPECT_EQ(one.grad_ab, many.grad_ab);
  EXPECT_EQ(one.grad_h, many.grad_h);
  EXPECT_EQ(one.grad_v, many.grad_v);
}

TEST(EdgeAttention, Bf16StorageKeepsAboutThreeDigits) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    SCOPED_TRACE(name);
    const auto exact = by_formula<double>(graph, 33);
    const auto found = by_kernel<Bf16>(graph, 33);
    const auto near = [&](const std::vector<float>& a, const std::vector<double>& b) {
      EXPECT_LE(distance(a, b), 0.03 * std::max(1.0, testing::largest_of(b)));
    };
    near(found.agg, exact.agg);
    near(found.alpha, exact.alpha);
    near(found.grad_ab, exact.grad_ab);
    near(found.grad_h, exact.grad_h);
  }
}

// Past the clamp tanh is +-1 in f32, whatever the other summand, as long as the two do not nearly cancel.
TEST(EdgeAttention, LargePreActivationsSaturateAndStayFinite) {
  const Graph graph = testing::random_graph(20, 200, 5);
  const auto exact = by_formula<double>(graph, 24, 5.0);
  const auto found = by_kernel<float>(graph, 24, 5.0);
  EXPECT_LT(distance(found.agg, exact.agg), 1e-4);
  EXPECT_LT(distance(found.grad_h, exact.grad_h), 1e-3);
  for (const double scale : {100.0, 1e4, 1e30}) {
    const auto huge = by_kernel<float>(graph, 24, scale);
    for (const auto* values : {&huge.agg, &huge.alpha, &huge.grad_ab, &huge.grad_h, &huge.grad_v}) {
      for (const float x : *values) ASSERT_TRUE(std::isfinite(x)) << scale;
    }
  }
}

// A NaN in a node's row of ab reaches the rows that read it, and no others.
TEST(EdgeAttention, NanStaysNan) {
  const Graph graph = testing::random_graph(40, 200, 5);
  constexpr size_t kWidth = 24;
  const auto with_nan = [&](bool own) {
    std::vector<float> ab = Attention<float>(graph, kWidth).ab;
    ab[7 * 2 * kWidth + (own ? 3 : kWidth + 3)] = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> pq(ab.size());
    cpu::run(cpu::ExpTwice<float>{static_cast<int64_t>(pq.size()), ab.data(), pq.data(), 2});
    Attention<float> x(graph, kWidth);
    cpu::run(cpu::EdgeAttentionForward<float>{testing::incoming_rows(graph), static_cast<int64_t>(kWidth), pq.data(),
                                              x.h.data(), x.v.data(), x.agg.data(), x.alpha.data(), 2});
    return x.agg;
  };
  const Rows rows = testing::incoming_rows(graph);
  for (const bool own : {true, false}) {
    const std::vector<float> agg = with_nan(own);
    for (int64_t i = 0; i < graph.num_nodes(); ++i) {
      const NodeId* begin = rows.neighbour + rows.offset[i];
      const NodeId* end = rows.neighbour + rows.offset[i + 1];
      const bool reads = own ? i == 7 && begin != end : std::find(begin, end, 7) != end;
      EXPECT_EQ(std::isnan(agg[static_cast<size_t>(i) * kWidth]), reads) << i;
    }
  }
}

// The stated limit: for a = -b = 30, the true tanh(a + b) is 0, and so is the clamped one, since both sides are clamped
// alike; for a = 60 and b = -50 the true value is 1 but the clamped sum is 0.
TEST(EdgeAttention, TheClampIsWhereItIsSaidToBe) {
  const float a[] = {30.0f, 60.0f, 21.0f}, b[] = {-30.0f, -50.0f, -20.0f};
  float p[3], q[3];
  cpu::run(cpu::ExpTwice<float>{3, a, p, 1});
  cpu::run(cpu::ExpTwice<float>{3, b, q, 1});
  const auto tanh_of = [&](int n) { return 1 - 2 / (1 + p[n] * q[n]); };
  EXPECT_NEAR(tanh_of(0), 0.0, 1e-5);
  EXPECT_NEAR(tanh_of(1), 0.0, 1e-5);
  EXPECT_NEAR(tanh_of(2), std::tanh(1.0), 1e-5);
}

}  // namespace
}  // namespace geniepath::kernels
