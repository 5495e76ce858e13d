#include "io/interner.h"

#include <gtest/gtest.h>

namespace geniepath {
namespace {

TEST(Interner, NumbersTextsInOrderOfAppearance) {
  Interner texts;
  EXPECT_EQ(texts.find("a"), -1);
  EXPECT_EQ(texts.add("a"), 0);
  EXPECT_EQ(texts.add(""), 1);
  EXPECT_EQ(texts.add(std::string_view("a\0b", 3)), 2);
  EXPECT_EQ(texts.add("a"), 0);
  EXPECT_EQ(texts.size(), 3);
  EXPECT_EQ(texts[1], "");
  EXPECT_EQ(texts.texts(), (std::vector<std::string>{"a", "", std::string("a\0b", 3)}));
}

TEST(Interner, KeepsManyApart) {
  Interner texts;
  const auto text = [](int i) { return std::string(static_cast<size_t>(i % 40), 'x') + std::to_string(i); };
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(texts.add(text(i)), i);
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(texts.find(text(i)), i);
    ASSERT_EQ(texts[i], text(i));
  }
  EXPECT_EQ(texts.find("absent"), -1);
}

}  // namespace
}  // namespace geniepath
