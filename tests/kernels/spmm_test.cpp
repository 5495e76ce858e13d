#include "kernels/cpu/spmm.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"
#include "kernels/reference/spmm.h"

namespace geniepath::kernels {
namespace {

// Which of value, row_scale and column_scale are given.
struct Given {
  bool value, rows, columns;
};

struct SpmmProblem {
  SpmmProblem(const Graph& given, size_t columns, Given which)
      : graph(given), rows(testing::incoming_rows(graph)), width(columns) {
    const auto nodes = static_cast<size_t>(graph.num_nodes());
    x = testing::normal_values(nodes * width, {1});
    if (which.value) value = testing::normal_values(static_cast<size_t>(graph.num_edges()), {2});
    if (which.rows) row_scale = testing::normal_values(nodes, {3});
    if (which.columns) column_scale = testing::normal_values(nodes, {4});
  }
  template <class T>
  static const T* pointer(const std::vector<T>& values) {
    return values.empty() ? nullptr : values.data();
  }
  std::vector<float> by_kernel(int threads) const {
    std::vector<float> out(x.size(), -7.0f);
    cpu::run(cpu::Spmm{rows, pointer(value), static_cast<int64_t>(width), x.data(), out.data(),
                       pointer(row_scale), pointer(column_scale), threads});
    return out;
  }
  std::vector<double> by_formula() const {
    const auto x64 = testing::cast<double>(x), left = testing::cast<double>(row_scale),
               right = testing::cast<double>(column_scale);
    std::vector<double> out(x.size());
    reference::spmm<double, float>(rows, pointer(value), static_cast<int64_t>(width), x64.data(), out.data(),
                                   pointer(left), pointer(right));
    return out;
  }
  Graph graph;  // owns the memory that the rows point to
  Rows rows;
  size_t width;
  std::vector<float> x, value, row_scale, column_scale;
};

TEST(Spmm, MatchesTheFormulaOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const size_t width : {1, 5, 16, 33, 64, 100}) {
      for (const Given which : {Given{true, false, false}, Given{false, false, false}, Given{false, true, true},
                                Given{false, true, false}, Given{true, true, true}}) {
        SCOPED_TRACE(name + ", K " + std::to_string(width));
        const SpmmProblem problem(graph, width, which);
        const auto exact = problem.by_formula();
        EXPECT_LE(testing::distance(problem.by_kernel(2), exact),
                  1e-6 * std::max(10.0, 10 * testing::largest_of(exact)));
      }
    }
  }
}

TEST(Spmm, TheSameBitsWithAnyNumberOfThreads) {
  const SpmmProblem problem(testing::star_graph(5000), 40, {false, true, true});
  EXPECT_EQ(problem.by_kernel(1), problem.by_kernel(3));
}

}  // namespace
}  // namespace geniepath::kernels
