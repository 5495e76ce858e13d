#include "base/suggestion.h"

#include <gtest/gtest.h>

namespace geniepath {
namespace {

TEST(Suggestion, IsTheNearestName) {
  const std::vector<std::string> names{"train", "tune", "serve", "learning-rate", "Label"};
  EXPECT_EQ(did_you_mean("trian", names), "; did you mean 'train'?") << "two letters swapped";
  EXPECT_EQ(did_you_mean("tun", names), "; did you mean 'tune'?");
  EXPECT_EQ(did_you_mean("serv", names), "; did you mean 'serve'?");
  EXPECT_EQ(did_you_mean("lerning-rat", names), "; did you mean 'learning-rate'?");
  EXPECT_EQ(did_you_mean("label", names), "; did you mean 'Label'?");
}

TEST(Suggestion, IsNothingWhereNoNameIsNear) {
  EXPECT_EQ(did_you_mean("explain", {"train", "tune"}), "");
  EXPECT_EQ(did_you_mean("x", {"yz"}), "");
  EXPECT_EQ(did_you_mean("", {"a"}), "");
  EXPECT_EQ(did_you_mean("a", {}), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 'a'), {std::string(1000, 'a')}), "") << "no name at all";
}

}  // namespace
}  // namespace geniepath
