// Charts as SVG, to stand inside a page or in a file of their own: lines over numbers, and bars over names.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "report/plot_frame.h"

namespace geniepath::report {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y; a y that is NaN leaves a gap
  bool reference = false;                         // something to compare with: grey, dotted
  std::vector<double> spread = {};                // half the length of each point's whisker; empty: none
};

struct LineChart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::optional<Range> x_range, y_range;  // otherwise what the points need
  bool marks = false;                     // a dot at every point
  bool whole = false;                     // x counts something: ticks at whole numbers alone
};

struct BarChart {
  std::string title, x_label, y_label;
  std::vector<std::string> names;
  struct Bars {
    std::string name;
    std::vector<double> values;       // one a name; NaN: no bar
    bool reference = false;           // something to compare with: grey
    std::vector<double> spread = {};  // half the length of each bar's whisker; empty: none
  };
  std::vector<Bars> series;
  std::optional<Range> y_range;
  std::optional<int> digits = {};  // of the value written above each bar; none: not written
};

using Chart = std::variant<LineChart, BarChart>;

std::string svg(const Chart& chart);

// Two in a row, each on scales of its own. Series of the same name have the same colour in all of them, and one legend.
std::string svg(const std::vector<Chart>& panels);

}  // namespace geniepath::report
