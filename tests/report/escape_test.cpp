#include "report/escape.h"

#include <gtest/gtest.h>

namespace geniepath::report {
namespace {

TEST(Escape, NothingGetsOutOfItsPlace) {
  EXPECT_EQ(html("<script>'x' & \"y\"</script>"), "&lt;script&gt;&#39;x&#39; &amp; &quot;y&quot;&lt;/script&gt;");
  EXPECT_EQ(dot("a\"]; b [label=\"\\n"), "a\\\"]; b [label=\\\"\\\\n");
  EXPECT_EQ(csv("a,b"), "\"a,b\"");
  EXPECT_EQ(csv("say \"a\"\n"), "\"say \"\"a\"\"\n\"");
  EXPECT_EQ(csv("plain"), "plain");
}

TEST(Escape, BytesThatAreNoTextAreReplaced) {
  const std::string instead = "\xef\xbf\xbd";
  EXPECT_EQ(html(std::string("a\0b", 3)), "a" + instead + "b");
  EXPECT_EQ(html("\x1b[31m"), instead + "[31m");
  EXPECT_EQ(html("\xff\xe4x"), instead + instead + "x");
  EXPECT_EQ(html("\xc0\xaf"), instead + instead);              // an overlong '/'
  EXPECT_EQ(html("\xed\xa0\x80"), instead + instead + instead);  // half of a surrogate pair
  EXPECT_EQ(html("\xe2\x82"), instead + instead);              // cut short
  EXPECT_EQ(html("äß€𝄞"), "äß€𝄞");
}

TEST(Escape, ShorteningCountsCharacters) {
  EXPECT_EQ(shortened("äöü", 3), "äöü");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(shortened("", 3), "");
}

}  // namespace
}  // namespace geniepath::report
