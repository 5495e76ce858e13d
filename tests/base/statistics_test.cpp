#include "base/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace geniepath {
namespace {

TEST(Statistics, MeanAndDeviation) {
  EXPECT_EQ(mean_of({}), 0);
  EXPECT_EQ(deviation_of(std::vector{7.0}), 0);
  const std::vector values{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
  EXPECT_DOUBLE_EQ(mean_of(values), 5);
  EXPECT_NEAR(deviation_of(values), 2.138089935299395, 1e-12);
}

// p is the integral of Student's density beyond |t|, found numerically.
TEST(Statistics, PairedTestByHand) {
  const std::vector a{0.90, 0.92, 0.91, 0.95, 0.93}, b{0.88, 0.91, 0.91, 0.92, 0.90};
  const PairedTest test = paired_test(a, b);
  EXPECT_NEAR(test.difference, 0.018, 1e-12);
  EXPECT_NEAR(test.deviation, 0.013038404810405298, 1e-12);
  EXPECT_NEAR(test.p, 0.036681989, 1e-8);  // t = 3.087, 4 degrees of freedom
  // With 1 degree of freedom Student's is Cauchy's distribution: t = 1 gives 1/2.
  EXPECT_NEAR(paired_test(std::vector{0.0, 2.0}, std::vector{0.0, 0.0}).p, 0.5, 1e-12);
  EXPECT_EQ(paired_test(std::vector{1.0, 2.0}, std::vector{2.0, 1.0}).p, 1);
  EXPECT_EQ(paired_test(std::vector{1.0, 2.0}, std::vector{0.0, 1.0}).p, 0);  // always by 1
}

}  // namespace
}  // namespace geniepath
