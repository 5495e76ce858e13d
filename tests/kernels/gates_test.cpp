#include "kernels/cpu/gates.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"
#include "kernels/reference/gates.h"

namespace geniepath::kernels {
namespace {

using testing::cast;
using testing::distance;
using testing::normal_values;

struct Sizes {
  size_t rows, width;
};

std::ostream& operator<<(std::ostream& out, const Sizes& sizes) { return out << sizes.rows << " x " << sizes.width; }

class Gates : public ::testing::TestWithParam<Sizes> {};

TEST_P(Gates, MatchTheFormulaForwardAndBackward) {
  const auto [rows, width] = GetParam();
  const size_t small = rows * width, large = 4 * small;
  for (const bool with_memory : {true, false}) {
    const auto pre = normal_values(large, {1}, 3), memory = normal_values(small, {2}),
               grad_out = normal_values(small, {3}), grad_new = normal_values(small, {4});
    const auto r = static_cast<int64_t>(rows), k = static_cast<int64_t>(width);
    std::vector<float> gates = pre, new_memory(small), out(small), grad_pre(large), grad_memory(small);
    const float* old = with_memory ? memory.data() : nullptr;
    cpu::run(cpu::GatesForward{r, k, gates.data(), old, new_memory.data(), out.data(), 2});
    cpu::run(cpu::GatesBackward{r, k, gates.data(), old, new_memory.data(), grad_out.data(),
                                with_memory ? grad_new.data() : nullptr, grad_pre.data(), grad_memory.data(), 2});
    auto pre64 = cast<double>(pre), memory64 = cast<double>(memory), grad_out64 = cast<double>(grad_out),
         grad_new64 = cast<double>(grad_new);
    std::vector<double> gates64(large), new64(small), out64(small), grad_pre64(large), grad_memory64(small);
    const double* old64 = with_memory ? memory64.data() : nullptr;
    reference::gates_forward<double>(r, k, pre64.data(), old64, gates64.data(), new64.data(), out64.data());
    reference::gates_backward<double>(r, k, gates64.data(), old64, new64.data(), grad_out64.data(),
                                      with_memory ? grad_new64.data() : nullptr, grad_pre64.data(),
                                      grad_memory64.data());
    EXPECT_LT(distance(gates, gates64), 1e-6);
    EXPECT_LT(distance(new_memory, new64), 2e-6);
    EXPECT_LT(distance(out, out64), 2e-6);
    EXPECT_LT(distance(grad_pre, grad_pre64), 1e-5);
    EXPECT_LT(distance(grad_memory, grad_memory64), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Gates,
                         ::testing::Values(Sizes{1, 1}, Sizes{3, 7}, Sizes{5, 16}, Sizes{40, 17}, Sizes{33, 64},
                                           Sizes{2, 300}, Sizes{0, 8}));

TEST(Gates, NotANumberIsNotHidden) {
  constexpr int64_t kWidth = 19;
  for (int64_t gate = 0; gate < 4; ++gate) {
    std::vector<float> gates(4 * kWidth, 0.5f), memory(kWidth, 1.0f), new_memory(kWidth), out(kWidth);
    gates[static_cast<size_t>(gate * kWidth + 18)] = std::numeric_limits<float>::quiet_NaN();
    cpu::run(cpu::GatesForward{1, kWidth, gates.data(), memory.data(), new_memory.data(), out.data(), 1});
    for (size_t k = 0; k < kWidth; ++k) EXPECT_EQ(std::isnan(out[k]), k == 18) << "gate " << gate << ", unit " << k;
  }
}

TEST(Gates, SaturateWithoutOverflow) {
  std::vector<float> gates{1e30f, -1e30f, 200.0f, -200.0f}, memory{3.0f}, new_memory(1), out(1);
  cpu::run(cpu::GatesForward{1, 1, gates.data(), memory.data(), new_memory.data(), out.data(), 1});
  for (const float open : {gates[0], gates[2]}) {
    EXPECT_LE(open, 1.0f);
    EXPECT_NEAR(open, 1.0f, 2e-7);
  }
  EXPECT_NEAR(gates[1], 0.0f, 1e-30);
  EXPECT_EQ(gates[3], -1.0f);
  EXPECT_NEAR(new_memory[0], -1.0f, 1e-6);
}

}  // namespace
}  // namespace geniepath::kernels
