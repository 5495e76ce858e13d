#include "base/random.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

namespace geniepath {
namespace {

TEST(Random, StreamsAreNamedByTheirWords) {
  const RandomStream stream{1, 2}, same{1, 2}, swapped{2, 1}, longer{1, 2, 0};
  EXPECT_EQ(stream.bits(7), same.bits(7));
  EXPECT_NE(stream.bits(7), swapped.bits(7));
  EXPECT_NE(stream.bits(7), longer.bits(7));
}

TEST(Random, UniformFillsTheUnitInterval) {
  const RandomStream stream{42};
  std::vector<int> bins(10);
  for (uint64_t i = 0; i < 100000; ++i) {
    const double u = stream.uniform(i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++bins[static_cast<size_t>(u * 10)];
  }
  for (const int count : bins) EXPECT_NEAR(count, 10000, 500);  // 5 standard deviations
}

TEST(Random, ShuffleKeepsEveryItemAndRepeats) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  auto again = items;
  shuffle(items, Random{3});
  shuffle(again, Random{3});
  EXPECT_EQ(items, again);
  EXPECT_FALSE(std::is_sorted(items.begin(), items.end()));
  EXPECT_EQ(std::set<int>(items.begin(), items.end()).size(), 100u);
}

}  // namespace
}  // namespace geniepath
