#include "found_text.h"
#include "report/plot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/file.h"
#include "report/drawing.h"

namespace geniepath::report {
namespace {

using testing::contains;
using testing::count;

TEST(Plot, TicksAreRoundAndCoverTheRange) {
  EXPECT_EQ(ticks({0, 1}, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks({0, 30}, 6), (std::vector<double>{0, 5, 10, 15, 20, 25, 30}));
  EXPECT_FALSE(ticks({3, 3}, 5).empty());
}

TEST(Plot, ChartsOfNothingAndOfOnePointAreCharts) {
  EXPECT_TRUE(contains(svg(LineChart{}), "</svg>"));
  EXPECT_TRUE(contains(svg(BarChart{}), "</svg>"));
  const std::string one = svg(LineChart{"t", "x", "y", {{"s", {{1, 2}}}}, {}, {}});
  EXPECT_FALSE(contains(one, "nan")) << one;
  EXPECT_FALSE(contains(one, "inf")) << one;
}

TEST(Plot, GapsAreLeftOutOfALine) {
  const std::string drawn = svg(LineChart{"t", "x", "y", {{"s", {{0, 0}, {1, NAN}, {2, 1}, {3, 1}}}}, {}, {}});
  EXPECT_FALSE(contains(drawn, "nan"));
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), 'M'), 2);  // the line begins twice
}

// The explorer draws the levels in the same colours.
TEST(Plot, ThePageHasTheColoursOfTheLevels) {
  const std::string styles = read_text(GENIEPATH_SOURCE "/web/src/styles/colours.css");
  const std::pair<Level, const char*> levels[] = {
      {Level::kGreen, "low"}, {Level::kBlue, "middle"}, {Level::kRed, "high"}};
  for (const auto& [level, name] : levels) {
    EXPECT_TRUE(contains(styles, std::string("--edge-") + name + ": " + colour_of(level) + ";")) << name;
  }
}

TEST(Plot, WordsAreEscaped) {
  const std::string drawn = svg(BarChart{"<b>", "x", "y", {"</svg>"}, {{"\"&", {1}}}, {}});
  EXPECT_FALSE(contains(drawn, "<b>"));
  EXPECT_EQ(drawn.find("</svg>"), drawn.size() - 7);
  EXPECT_TRUE(contains(drawn, "aria-label='&lt;b&gt;'"));
}

TEST(Plot, CountsHaveTicksAtWholeNumbersAlone) {
  EXPECT_EQ(ticks({1, 3}, 6, true), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(ticks({0, 300}, 6, true), ticks({0, 300}, 6));
}

TEST(Plot, LongNamesAreWrapped) {
  EXPECT_EQ(wrapped("GeniePath-lazy-residual", 11), (std::vector<std::string>{"GeniePath-", "lazy-", "residual"}));
  EXPECT_EQ(wrapped("GAT, 4, 4 and 6 heads", 11), (std::vector<std::string>{"GAT, 4, 4 ", "and 6 heads"}));
  EXPECT_EQ(wrapped("", 11), std::vector<std::string>{""});
}

TEST(Plot, WhiskersAreOnTheScale) {
  const std::string line = svg(LineChart{"t", "x", "y", {{"s", {{1, 5}, {2, 6}}, false, {0, 4}}}, {}, {}});
  EXPECT_EQ(count(line, "class='whisker'"), 1);  // no spread, no whisker
  EXPECT_TRUE(contains(line, ">10<")) << line;   // the axis reaches 6 + 4
  const std::string bars = svg(BarChart{"t", "x", "y", {"a", "b"}, {{"s", {1, NAN}, false, {0.5, 0}}}, {}, 3});
  EXPECT_EQ(count(bars, "class='whisker'"), 1);
  EXPECT_EQ(count(bars, "<title>"), 1);  // no bar for missing values
  EXPECT_TRUE(contains(bars, ">1.000<"));
  EXPECT_FALSE(contains(bars, "nan"));
}

TEST(Plot, PanelsShareColoursAndLegend) {
  const LineChart first{"t", "x", "y", {{"a", {{0, 0}, {1, 1}}}, {"b", {{0, 1}, {1, 0}}}}, {}, {}};
  const LineChart second{"u", "x", "y", {{"b", {{0, 1}, {1, 0}}}}, {}, {}};
  const std::string drawn = svg(std::vector<Chart>{first, second});
  EXPECT_EQ(count(drawn, "</svg>"), 1);
  EXPECT_EQ(count(drawn, ">a</text>"), 1);
  EXPECT_EQ(count(drawn, ">b</text>"), 1);
  EXPECT_EQ(count(drawn, "stroke='#b8480a' stroke-width='2'"), 2);  // b in both
}

TEST(Plot, BarsBelowZeroHangFromZero) {
  const std::string drawn = svg(BarChart{"t", "x", "y", {"a", "b"}, {{"s", {-1, 1}}}, {}});
  EXPECT_FALSE(contains(drawn, "height='-")) << drawn;
}

}  // namespace
}  // namespace geniepath::report
