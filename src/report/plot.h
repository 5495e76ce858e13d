// Charts as SVG, for pages and separate files: lines over numbers, and bars over names.
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
  std::vector<std::pair<double, double>> points;  // x, y; a NaN in y leaves a gap
  bool reference = false;                         // for comparison: grey, dotted
  std::vector<double> spread = {};                // half the length of each point's whisker; empty: none
};

struct LineChart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::optional<Range> x_range, y_range;  // default: the range of the points
  bool marks = false;                     // a dot at every point
  bool whole = false;                     // ticks of x only at whole numbers
  struct Mark {
    double x;
    std::string text;
  };
  std::optional<Mark> mark = {};  // a vertical line with a text
};

struct BarChart {
  std::string title, x_label, y_label;
  std::vector<std::string> names;
  struct Bars {
    std::string name;
    std::vector<double> values;       // one per name; NaN: no bar
    bool reference = false;           // for comparison: grey
    std::vector<double> spread = {};  // half the length of each bar's whisker; empty: none
  };
  std::vector<Bars> series;
  std::optional<Range> y_range;
  std::optional<int> digits = {};  // of the values above the bars; none: no values
};

using Chart = std::variant<LineChart, BarChart>;

std::string svg(const Chart& chart);

// Two panels per row, each on its own scales. Series of the same name share a colour and an entry in the one legend.
std::string svg(const std::vector<Chart>& panels);

}  // namespace geniepath::report
