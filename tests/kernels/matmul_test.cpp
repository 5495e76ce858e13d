#include "kernels/cpu/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graphs_that_hurt.h"
#include "kernels/cpu/column_sums.h"

namespace geniepath::kernels {
namespace {

float as_float(float x) { return x; }
float as_float(Bf16 x) { return to_float(x); }
void assign(float& to, float x) { to = x; }
void assign(Bf16& to, float x) { to = to_bf16(x); }

// A matrix with gaps between its stored rows, filled with values that would spoil any sum.
template <class S>
class Matrix {
 public:
  Matrix(int64_t rows, int64_t columns, bool transposed, int64_t gap, uint64_t seed)
      : view_{nullptr, rows, columns, (transposed ? rows : columns) + gap, transposed},
        values_(static_cast<size_t>(view_.stride * (transposed ? columns : rows))) {
    for (S& x : values_) assign(x, std::nanf(""));
    const std::vector<float> drawn = testing::normal_values(static_cast<size_t>(rows * columns), {seed});
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) assign(values_[index(r, c)], drawn[static_cast<size_t>(r * columns + c)]);
    }
    view_.data = values_.data();
  }

  const cpu::MatrixView<S>& view() const { return view_; }
  double operator()(int64_t row, int64_t column) const { return as_float(values_[index(row, column)]); }

 private:
  size_t index(int64_t row, int64_t column) const {
    return static_cast<size_t>(view_.transposed ? column * view_.stride + row : row * view_.stride + column);
  }

  cpu::MatrixView<S> view_;
  std::vector<S> values_;
};

template <class S>
class Matmul : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cpu::has_matmul<S>()) GTEST_SKIP() << "no oneDNN or, for bf16, f32 is faster here";
  }

  // Against sums in f64; the error of an f32 sum of `depth` terms of size 1 grows like the square root of `depth`.
  static void expect_right(int64_t rows, int64_t depth, int64_t columns, bool turn_a, bool turn_b, bool accumulate) {
    const Matrix<S> a(rows, depth, turn_a, 2, 1), b(depth, columns, turn_b, 1, 2);
    const int64_t stride = columns + 3;
    std::vector<float> whole(static_cast<size_t>(stride * rows), 2.0f), shared = whole;
    cpu::matmul(a.view(), b.view(), whole.data(), stride, accumulate);
    cpu::run(cpu::Product<S>{a.view(), b.view(), shared.data(), stride, accumulate, 2});
    const double bound = 1e-6 * (4 + static_cast<double>(depth));
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        double sum = accumulate ? 2.0 : 0.0;
        for (int64_t k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
        for (const std::vector<float>* c : {&whole, &shared}) {
          ASSERT_NEAR((*c)[static_cast<size_t>(i * stride + j)], sum, bound)
              << rows << " x " << depth << " x " << columns << ", turned " << turn_a << turn_b << ", at " << i << ", "
              << j;
        }
      }
      for (const std::vector<float>* c : {&whole, &shared}) {
        ASSERT_EQ((*c)[static_cast<size_t>(i * stride + columns)], 2.0f)  // gaps between rows stay untouched
            << rows << " x " << depth << " x " << columns << ", turned " << turn_a << turn_b << ", after row " << i;
      }
    }
  }
};

using Operands = ::testing::Types<float, Bf16>;
TYPED_TEST_SUITE(Matmul, Operands);

TYPED_TEST(Matmul, EveryTransposeStrideAndAccumulation) {
  for (const bool turn_a : {false, true}) {
    for (const bool turn_b : {false, true}) {
      for (const bool accumulate : {false, true}) {
        this->expect_right(13, 9, 17, turn_a, turn_b, accumulate);
        this->expect_right(70, 75, 41, turn_a, turn_b, accumulate);
      }
    }
  }
}

// Single rows and columns have strides, too; oneDNN 3.7 treats them as contiguous.
TYPED_TEST(Matmul, SingleRowsAndColumns) {
  for (const int64_t rows : {1, 2, 32}) {
    for (const int64_t depth : {1, 2, 16}) {
      for (const int64_t columns : {1, 2, 15}) {
        for (const int turns : {0, 1, 2, 3}) {
          for (const bool accumulate : {false, true}) {
            this->expect_right(rows, depth, columns, turns & 1, turns & 2, accumulate);
          }
        }
      }
    }
  }
}

// Sizes around those of tiles (16, 32), strips (1,024 deep) and pieces.
TYPED_TEST(Matmul, SizesAroundEveryCut) {
  for (const int64_t size : {1, 15, 16, 17, 31, 32, 33, 64, 65}) {
    this->expect_right(size, 32, 32, false, false, false);
    this->expect_right(32, size, 32, true, false, true);
    this->expect_right(32, 32, size, false, true, false);
    this->expect_right(size, size, size, true, true, true);
  }
  this->expect_right(3, 1023, 5, false, false, false);
  this->expect_right(3, 1057, 5, true, true, true);
  this->expect_right(33, 5000, 2, true, false, true);
  this->expect_right(1300, 3, 4, false, false, false);
  this->expect_right(1, 1030, 1100, false, false, true);
}

TYPED_TEST(Matmul, AnEmptySumIsZero) {
  std::vector<float> c(4, 5.0f);
  using View = cpu::MatrixView<TypeParam>;
  cpu::matmul(View{nullptr, 2, 0, 0}, View{nullptr, 0, 2, 2}, c.data(), 2, true);
  EXPECT_EQ(c, std::vector<float>(4, 5.0f));
  cpu::matmul(View{nullptr, 2, 0, 0}, View{nullptr, 0, 2, 2}, c.data(), 2, false);
  EXPECT_EQ(c, std::vector<float>(4, 0.0f));
}

TYPED_TEST(Matmul, TheBitsDoNotDependOnThreads) {
  struct Shape {
    int64_t rows, depth, columns;
    bool turn_a, turn_b;
  };
  for (const Shape& s : {Shape{3000, 96, 64, false, false}, {3000, 64, 96, false, true}, {96, 7000, 64, true, false},
                         {16, 9000, 16, true, false}, {700, 300, 3, true, true}}) {
    const Matrix<TypeParam> a(s.rows, s.depth, s.turn_a, 0, 3), b(s.depth, s.columns, s.turn_b, 0, 4);
    std::vector<float> first;
    for (const int threads : {1, 2, 3, 7}) {
      std::vector<float> c(static_cast<size_t>(s.rows * s.columns), 1.0f);
      cpu::run(cpu::Product<TypeParam>{a.view(), b.view(), c.data(), s.columns, true, threads});
      if (first.empty()) first = c;
      EXPECT_EQ(first, c) << s.rows << " x " << s.depth << " x " << s.columns << " with " << threads << " threads";
    }
  }
}

// So that a node's score does not depend on how many others are scored with it.
TYPED_TEST(Matmul, ARowsBitsDoNotDependOnOtherRows) {
  constexpr int64_t kRows = 1500;
  for (const int64_t depth : {1, 64, 300, 2500}) {
    for (const int64_t columns : {1, 3, 64}) {
      const Matrix<TypeParam> a(kRows, depth, false, 0, 3), b(depth, columns, false, 0, 4);
      const auto product = [&](int64_t first) {
        std::vector<float> c(static_cast<size_t>((kRows - first) * columns));
        cpu::run(cpu::Product<TypeParam>{a.view().part(first, kRows - first, 0, depth), b.view(), c.data(), columns,
                                         false, 2});
        return c;
      };
      const std::vector<float> all = product(0);
      for (const int64_t rows : {1, 2, 8, 33, 256, 257, 1025}) {
        const std::vector<float> some = product(kRows - rows);
        const std::vector<float> expected(all.end() - std::ssize(some), all.end());
        EXPECT_EQ(some, expected) << rows << " rows, " << depth << " deep, " << columns << " columns";
      }
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

}  // namespace
}  // namespace geniepath::kernels
