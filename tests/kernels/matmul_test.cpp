#include "kernels/cpu/matmul.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"

namespace geniepath::kernels {
namespace {

TEST(Matmul, EveryTransposeStrideAndAccumulation) {
  if (!cpu::has_matmul()) GTEST_SKIP() << "built without oneDNN";
  const int64_t m = 13, n = 17, k = 9;
  for (const bool turn_a : {false, true}) {
    for (const bool turn_b : {false, true}) {
      for (const bool accumulate : {false, true}) {
        const int64_t a_stride = (turn_a ? m : k) + 2, b_stride = (turn_b ? k : n) + 1, c_stride = n + 3;
        const auto a = testing::normal_values(static_cast<size_t>(a_stride * (turn_a ? k : m)), {1});
        const auto b = testing::normal_values(static_cast<size_t>(b_stride * (turn_b ? n : k)), {2});
        std::vector<float> c(static_cast<size_t>(c_stride * m), 2.0f);
        cpu::matmul(cpu::MatrixView<float>{a.data(), m, k, a_stride, turn_a},
                    cpu::MatrixView<float>{b.data(), k, n, b_stride, turn_b}, c.data(), c_stride, accumulate);
        for (int64_t i = 0; i < m; ++i) {
          for (int64_t j = 0; j < n; ++j) {
            double sum = accumulate ? 2.0 : 0.0;
            for (int64_t l = 0; l < k; ++l) {
              sum += static_cast<double>(a[static_cast<size_t>(turn_a ? l * a_stride + i : i * a_stride + l)]) *
                     b[static_cast<size_t>(turn_b ? j * b_stride + l : l * b_stride + j)];
            }
            ASSERT_NEAR(c[static_cast<size_t>(i * c_stride + j)], sum, 1e-5);
          }
          ASSERT_EQ(c[static_cast<size_t>(i * c_stride + n)], 2.0f);  // between the rows nothing is written
        }
      }
    }
  }
}

TEST(Matmul, AnEmptySumIsZero) {
  if (!cpu::has_matmul()) GTEST_SKIP() << "built without oneDNN";
  std::vector<float> c(4, 5.0f);
  cpu::matmul(cpu::MatrixView<float>{nullptr, 2, 0, 0}, cpu::MatrixView<float>{nullptr, 0, 2, 2}, c.data(), 2, false);
  EXPECT_EQ(c, std::vector<float>(4, 0.0f));
}

}  // namespace
}  // namespace geniepath::kernels
