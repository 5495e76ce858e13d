#include "kernels/cpu/spmm.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"
#include "kernels/reference/spmm.h"

namespace geniepath::kernels {
namespace {

TEST(Spmm, MatchesTheFormulaOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const size_t width : {1, 5, 16, 33, 64, 100}) {
      for (const bool weighted : {true, false}) {
        SCOPED_TRACE(name + ", K " + std::to_string(width));
        const Rows rows = testing::incoming_rows(graph);
        const auto nodes = static_cast<size_t>(graph.num_nodes());
        const auto x = testing::normal_values(nodes * width, {1});
        const auto value = testing::normal_values(static_cast<size_t>(graph.num_edges()), {2});
        const float* weight = weighted ? value.data() : nullptr;
        const auto k = static_cast<int64_t>(width);
        std::vector<float> out(x.size(), -7.0f);
        cpu::run(cpu::Spmm{rows, weight, k, x.data(), out.data(), 2});
        const auto x64 = testing::cast<double>(x);
        std::vector<double> exact(x.size());
        reference::spmm<double, float>(rows, weight, k, x64.data(), exact.data());
        EXPECT_LE(testing::distance(out, exact), 1e-6 * std::max(10.0, 10 * testing::largest_of(exact)));
      }
    }
  }
}

}  // namespace
}  // namespace geniepath::kernels
