#include "report/escape.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "io/csv.h"
#include "report/csv_writer.h"

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

TEST(Escape, NothingStartsAFormula) {
  for (const char* formula :
       {"=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "=", "-inf", "-0x1p4"}) {
    EXPECT_NE(csv(formula).find(std::string("'") + formula[0]), std::string::npos) << csv(formula);
  }
  EXPECT_EQ(csv("=A1"), "'=A1");
  EXPECT_EQ(csv("a;=A1;-5;-x"), "a;'=A1;-5;'-x");  // each begins a cell where semicolons separate
  for (const char* number : {"-5", "+5", "-0.25", "-1e-7", "+.5", "7", "-99999999999999999999"})
    EXPECT_EQ(csv(number), number);
  for (const char* name : {"'s-Hertogenbosch", "a=b", "x-1", "user@host", "'"}) EXPECT_EQ(csv(name), name);
}

// Reading a cell by RFC 4180 and removing the apostrophe before a formula restores any text.
TEST(Escape, CellsComeBack) {
  const std::vector<std::string> names{"plain",   "a,b",   "a;b",   "say \"a\"", "two\nlines", " blank ",
                                       "-5",      "=1+1",  "'=1+1", "''-x",      "b;=1",       "@",
                                       "+49 170", "\ttab", "'",     "ä€𝄞",       "\x1b[31m"};
  std::ostringstream out;
  CsvWriter table(out);
  for (const std::string& name : names) table.text(name);
  table.end_row();
  const std::string text = out.str();
  CsvReader reader(text, "table", ',');
  ASSERT_TRUE(reader.next());
  ASSERT_EQ(reader.fields().size(), names.size());
  for (size_t n = 0; n < names.size(); ++n) {
    const std::string cell(reader.fields()[n]);
    EXPECT_EQ(std::regex_replace(cell, std::regex("(^|;)'('*[-=+@\t\r\n])"), "$1$2"), names[n]);
  }
}

TEST(Escape, NumbersOfATableComeBackToTheBit) {
  const float values[] = {0.1f, -2e-38f, 16777217.0f, 3.4e38f, 1.0f / 3};
  std::ostringstream out;
  CsvWriter table(out);
  for (const float value : values) table.number(value);
  table.number(1.0 / 3).end_row();
  table.text("next").number(2.0f).end_row();
  const std::string text = out.str();
  EXPECT_NE(text.find("\nnext,2\n"), std::string::npos) << text;
  std::istringstream cells(text);
  std::string cell;
  for (const float value : values) EXPECT_EQ((std::getline(cells, cell, ','), std::stof(cell)), value) << cell;
  EXPECT_EQ((std::getline(cells, cell), std::stod(cell)), 1.0 / 3);
}

TEST(Escape, NothingSteersATerminal) {
  EXPECT_EQ(terminal("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(terminal("a\nb\tc\rd\x7f"), "a\\nb\\tc\\rd\\x7f");
  EXPECT_EQ(terminal(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(terminal("\xc2\x9b""2J"), "\\u009b2J");                        // CSI as one character
  EXPECT_EQ(terminal("\xe2\x80\xae"
                     "exe"),
            "\\u202e"
            "exe");  // reverses the direction of the following text
  EXPECT_EQ(terminal("\xff\xe4x"), "\\xff\\xe4x");
  EXPECT_EQ(terminal("äß€𝄞 └─ 'x'"), "äß€𝄞 └─ 'x'");
  EXPECT_EQ(html("\xc2\x9b\xe2\x80\xae"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Escape, ShorteningCountsCharacters) {
  EXPECT_EQ(shortened("äöü", 3), "äöü");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(shortened("", 3), "");
}

}  // namespace
}  // namespace geniepath::report
