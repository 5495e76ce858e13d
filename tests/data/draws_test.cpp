#include "data/draws.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geniepath {
namespace {

TEST(Draws, ShuffledIdsAreAPermutation) {
  std::vector<NodeId> ids = shuffled_ids(1000, Random{1});
  EXPECT_FALSE(std::ranges::is_sorted(ids));
  std::ranges::sort(ids);
  for (NodeId i = 0; i < 1000; ++i) EXPECT_EQ(ids[static_cast<size_t>(i)], i);
  EXPECT_TRUE(shuffled_ids(0, Random{1}).empty());
}

}  // namespace
}  // namespace geniepath
