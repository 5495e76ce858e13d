#include "kernels/cpu/neighbour_max.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graphs_that_hurt.h"
#include "kernels/reference/neighbour_max.h"

namespace geniepath::kernels {
namespace {

struct Pooled {
  std::vector<float> out, grad_x;
  std::vector<int32_t> choice;
  bool operator==(const Pooled&) const = default;
};

struct MaxProblem {
  MaxProblem(const Graph& given, size_t columns, bool without_self)
      : graph(given),
        incoming(testing::incoming_rows(graph)),
        outgoing(testing::outgoing_rows(graph)),
        width(columns),
        skip_self(without_self) {
    x = testing::normal_values(static_cast<size_t>(graph.num_nodes()) * width, {1, width});
    for (size_t n = 0; n < x.size(); n += 3) x[n] = std::round(x[n]);  // ties
    grad_out = testing::normal_values(x.size(), {2, width});
  }
  Pooled poisoned() const {
    return {std::vector<float>(x.size(), -7.0f), std::vector<float>(x.size(), -7.0f),
            std::vector<int32_t>(x.size(), -7)};
  }
  // Each pass in two, the rows from `cut` on first.
  Pooled by_kernel(int threads = 2, int64_t cut = 0) const {
    Pooled result = poisoned();
    const auto k = static_cast<int64_t>(width);
    for (const Rows& rows : testing::in_two(incoming, cut)) {
      cpu::run(cpu::NeighbourMaxForward{rows, skip_self, k, x.data(), result.out.data(),
                                        result.choice.data(), threads});
    }
    for (const Rows& rows : testing::in_two(outgoing, cut)) {
      cpu::run(cpu::NeighbourMaxBackward{rows, incoming.offset, k, result.choice.data(),
                                         grad_out.data(), result.grad_x.data(), threads});
    }
    return result;
  }
  Pooled by_formula() const {
    Pooled result = poisoned();
    const auto k = static_cast<int64_t>(width);
    reference::neighbour_max_forward<float>(incoming, skip_self, k, x.data(), result.out.data(), result.choice.data());
    std::vector<double> grad_x(x.size());
    const auto grad64 = testing::cast<double>(grad_out);
    reference::neighbour_max_backward<double>(incoming, k, result.choice.data(), grad64.data(), grad_x.data());
    result.grad_x = testing::cast<float>(grad_x);
    return result;
  }
  Graph graph;  // owns the memory that the rows point to
  Rows incoming, outgoing;
  size_t width;
  bool skip_self;
  std::vector<float> x, grad_out;
};

TEST(NeighbourMax, MatchesTheFormulaOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const size_t width : {1, 3, 8, 17, 33, 64, 100}) {
      for (const bool skip_self : {false, true}) {
        SCOPED_TRACE(name + ", K " + std::to_string(width));
        const MaxProblem problem(graph, width, skip_self);
        const Pooled found = problem.by_kernel(), expected = problem.by_formula();
        EXPECT_EQ(found.out, expected.out);
        EXPECT_EQ(found.choice, expected.choice);
        const double largest = std::max(1.0, testing::largest_of(expected.grad_x));
        EXPECT_LE(testing::distance(found.grad_x, expected.grad_x), 5e-6 * largest);
      }
    }
  }
}

TEST(NeighbourMax, InTwoRangesOfRowsIsThatOfAllRows) {
  const MaxProblem problem(testing::random_graph(60, 300, 5), 20, true);
  for (const int64_t cut : {1, 30, 59}) EXPECT_EQ(problem.by_kernel(2, cut), problem.by_kernel());
}

TEST(NeighbourMax, TheSameBitsWithAnyNumberOfThreads) {
  const MaxProblem problem(testing::star_graph(5000), 40, false);
  EXPECT_EQ(problem.by_kernel(1), problem.by_kernel(3));
}

// NaN exceeds every number, the first of several; -infinity is a number like others.
TEST(NeighbourMax, NanAndInfinitiesAreKept) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  for (const Graph& graph : {testing::random_graph(60, 300, 5), testing::star_graph(5000)}) {
    for (const bool skip_self : {false, true}) {
      MaxProblem problem(graph, 20, skip_self);
      for (size_t n = 0; n < problem.x.size(); n += 2) problem.x[n] = -kInfinity;
      for (size_t n = 3; n < problem.x.size(); n += 14) problem.x[n] = kNan;
      const Pooled found = problem.by_kernel(), expected = problem.by_formula();
      EXPECT_EQ(found.choice, expected.choice);
      size_t nans = 0;
      for (size_t n = 0; n < found.out.size(); ++n) {
        ASSERT_TRUE(found.out[n] == expected.out[n] || (std::isnan(found.out[n]) && std::isnan(expected.out[n]))) << n;
        nans += std::isnan(found.out[n]);
      }
      EXPECT_GT(nans, 0u);
    }
  }
}

TEST(NeighbourMax, ByHand) {
  const std::vector<NodeId> source{0, 1, 2, 0}, target{2, 2, 2, 1};
  const Graph graph = Graph::from_edges(3, source, target);
  MaxProblem problem(graph, 2, true);
  problem.x = {1, 5, 3, 4, 9, 9};
  problem.grad_out = {10, 20, 30, 40, 50, 60};
  const Pooled found = problem.by_kernel();
  EXPECT_EQ(found.out, (std::vector<float>{0, 0, 1, 5, 3, 5}));
  EXPECT_EQ(found.choice, (std::vector<int32_t>{-1, -1, 0, 0, 1, 0}));
  EXPECT_EQ(found.grad_x, (std::vector<float>{30, 100, 50, 0, 0, 0}));
}

}  // namespace
}  // namespace geniepath::kernels
