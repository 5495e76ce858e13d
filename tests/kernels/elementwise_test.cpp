#include "kernels/cpu/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graphs_that_hurt.h"
#include "kernels/cpu/edge_attention.h"

namespace geniepath::kernels {
namespace {

TEST(Elementwise, Bf16RoundsToNearestEven) {
  std::vector<float> from = testing::normal_values(1000, {1}, 100);
  from.insert(from.end(), {0.0f, -0.0f, 1.00390625f, 1.01171875f, INFINITY, -INFINITY, 3.3e38f, 1e-40f});
  std::vector<Bf16> to(from.size());
  cpu::run(cpu::ToBf16{static_cast<int64_t>(from.size()), from.data(), to.data(), 2});
  for (size_t n = 0; n < from.size(); ++n) EXPECT_EQ(to[n].bits, to_bf16(from[n]).bits) << from[n];
  EXPECT_EQ(to_float(to_bf16(1.00390625f)), 1.0f);        // halfway: to even
  EXPECT_EQ(to_float(to_bf16(1.01171875f)), 1.015625f);   // halfway: to even
  const float nan = std::numeric_limits<float>::quiet_NaN();
  cpu::run(cpu::ToBf16{1, &nan, to.data(), 1});
  EXPECT_TRUE(std::isnan(to_float(to[0])));
}

TEST(Elementwise, TanhIsRelativelyExactEverywhere) {
  std::vector<float> x;
  for (double magnitude = 1e-30; magnitude < 1e3; magnitude *= 1.07) {
    x.push_back(static_cast<float>(magnitude));
    x.push_back(static_cast<float>(-magnitude));
  }
  x.push_back(0.0f);
  std::vector<float> y = x;
  cpu::run(cpu::TanhForward{1, static_cast<int64_t>(x.size()), nullptr, y.data(), 2});
  for (size_t n = 0; n < x.size(); ++n) {
    const double exact = std::tanh(static_cast<double>(x[n]));
    EXPECT_LE(std::abs(y[n] - exact), 4e-7 * std::abs(exact)) << x[n];
  }
}

TEST(Elementwise, TanhOfNotANumberIsNone) {
  std::vector<float> y(19, 1.0f);
  y[3] = y[18] = std::numeric_limits<float>::quiet_NaN();
  cpu::run(cpu::TanhForward{1, std::ssize(y), nullptr, y.data(), 1});
  for (size_t n = 0; n < y.size(); ++n) EXPECT_EQ(std::isnan(y[n]), n == 3 || n == 18) << n;
}

TEST(Elementwise, TanhAddsItsBiasAndHasItsGradient) {
  std::vector<float> y{0.5f, -1.0f, 2.0f, 0.25f}, bias{0.5f, 1.0f}, grad_x(4), grad_y{1.0f, 2.0f, 3.0f, 4.0f};
  cpu::run(cpu::TanhForward{2, 2, bias.data(), y.data(), 1});
  EXPECT_NEAR(y[0], std::tanh(1.0), 1e-6);
  EXPECT_NEAR(y[1], 0.0, 1e-6);
  EXPECT_NEAR(y[3], std::tanh(1.25), 1e-6);
  cpu::run(cpu::TanhBackward{4, y.data(), grad_y.data(), grad_x.data(), 1});
  EXPECT_NEAR(grad_x[2], 3 * (1 - std::pow(std::tanh(2.5), 2)), 1e-6);
}

}  // namespace
}  // namespace geniepath::kernels
