#include "kernels/cpu/dropout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace geniepath::kernels {
namespace {

TEST(Dropout, KeepsTheShareAndTheMeanAndRepeats) {
  const std::vector<float> x(100000, 1.0f);
  std::vector<float> y(x.size()), again(x.size()), other(x.size());
  const auto count = static_cast<int64_t>(x.size());
  cpu::run(cpu::Dropout{count, 7, 0.3, x.data(), y.data(), 2});
  cpu::run(cpu::Dropout{count, 7, 0.3, x.data(), again.data(), 1});
  cpu::run(cpu::Dropout{count, 8, 0.3, x.data(), other.data(), 1});
  EXPECT_EQ(y, again);
  EXPECT_NE(y, other);
  double sum = 0;
  for (const float value : y) {
    EXPECT_TRUE(value == 0.0f || std::abs(value - 1 / 0.7f) < 1e-6f);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 1.0, 0.011);  // 5 standard deviations
}

}  // namespace
}  // namespace geniepath::kernels
