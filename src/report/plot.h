// Charts as SVG, to stand inside a page: lines over numbers, and bars over names.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geniepath::report {

struct Range {
  double low = 0, high = 1;
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y; a y that is NaN leaves a gap
  bool dotted = false;                            // something to compare with
};

struct LineChart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::optional<Range> x_range, y_range;  // otherwise what the points need
  bool marks = false;                     // a dot at every point
};
std::string svg(const LineChart& chart);

struct BarChart {
  std::string title, x_label, y_label;
  std::vector<std::string> names;
  struct Bars {
    std::string name;
    std::vector<double> values;  // one a name
  };
  std::vector<Bars> series;
  std::optional<Range> y_range;
};
std::string svg(const BarChart& chart);

// Steps of 1, 2 or 5 times a power of ten, about `count` of them, that cover the range.
std::vector<double> ticks(Range range, int count);

}  // namespace geniepath::report
