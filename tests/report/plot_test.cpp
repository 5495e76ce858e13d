#include "report/plot.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geniepath::report {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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

TEST(Plot, WordsAreEscaped) {
  const std::string drawn = svg(BarChart{"<b>", "x", "y", {"</svg>"}, {{"\"&", {1}}}, {}});
  EXPECT_FALSE(contains(drawn, "<b>"));
  EXPECT_EQ(drawn.find("</svg>"), drawn.size() - 7);
  EXPECT_TRUE(contains(drawn, "aria-label='&lt;b&gt;'"));
}

TEST(Plot, BarsBelowZeroHangFromZero) {
  const std::string drawn = svg(BarChart{"t", "x", "y", {"a", "b"}, {{"s", {-1, 1}}}, {}});
  EXPECT_FALSE(contains(drawn, "height='-")) << drawn;
}

}  // namespace
}  // namespace geniepath::report
