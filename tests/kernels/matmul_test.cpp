#include "kernels/cpu/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graphs_that_hurt.h"
#include "kernels/cpu/column_sums.h"

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

// Cut by rows, cut by terms of the sums, and whole; each against sums in f64, by any number of threads the same bits.
TEST(Product, OfEveryShapeHasTheSameBitsForAnyNumberOfThreads) {
  if (!cpu::has_matmul()) GTEST_SKIP() << "built without oneDNN";
  struct Shape {
    int64_t m, k, n;
  };
  for (const auto [m, k, n] : {Shape{5000, 64, 40}, Shape{24, 9000, 48}, Shape{1500, 2000, 3}, Shape{7, 1, 5}, Shape{3, 0, 2}}) {
    for (const bool turn_a : {false, true}) {
      const auto a = testing::normal_values(static_cast<size_t>(m * k), {1});
      const auto b = testing::normal_values(static_cast<size_t>(k * n), {2});
      const auto product = [&, m = m, k = k, n = n](int threads) {
        std::vector<float> c(static_cast<size_t>(m * n), 1.0f);
        cpu::run(cpu::Product<float>{{a.data(), m, k, turn_a ? m : k, turn_a}, {b.data(), k, n, n}, c.data(), n, true, threads});
        return c;
      };
      const std::vector<float> alone = product(1);
      for (int64_t i = 0; i < m; i += 7) {
        double sum = 1.0;
        for (int64_t l = 0; l < k; ++l) {
          sum += static_cast<double>(a[static_cast<size_t>(turn_a ? l * m + i : i * k + l)]) * b[static_cast<size_t>(l * n)];
        }
        ASSERT_NEAR(alone[static_cast<size_t>(i * n)], sum, 1e-4 * std::sqrt(static_cast<double>(k + 1)));
      }
      for (const int threads : {2, 3, 5}) EXPECT_TRUE(product(threads) == alone) << m << " x " << k << " x " << n << ", " << threads;
    }
  }
}

TEST(ColumnSums, OfManyRowsHaveTheSameBitsForAnyNumberOfThreads) {
  for (const int64_t width : {1, 5, 64}) {
    const int64_t rows = 10000;
    const auto x = testing::normal_values(static_cast<size_t>(rows * width), {3});
    const auto sums = [&](int threads) {
      std::vector<float> result(static_cast<size_t>(width));
      cpu::run(cpu::ColumnSums{rows, width, x.data(), result.data(), threads});
      return result;
    };
    double expected = 0;
    for (int64_t row = 0; row < rows; ++row) expected += static_cast<double>(x[static_cast<size_t>(row * width)]);
    EXPECT_NEAR(sums(1)[0], expected, 1e-5 * std::abs(expected) + 1e-6);
    for (const int threads : {2, 3, 5}) EXPECT_EQ(sums(threads), sums(1));
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
