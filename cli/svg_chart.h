// Small charts as SVG text: panels side by side, bars or lines in each.
#pragma once

#include <string>
#include <vector>

namespace geniepath::cli {

struct ChartSeries {
  std::string name;
  std::vector<double> x, y, spread;  // spread: half the length of the whisker; may be empty
};

struct ChartPanel {
  std::string title, x_label, y_label;
  std::vector<std::string> categories;  // where not empty: bars, x counts categories; otherwise lines over x
  std::vector<ChartSeries> series;
};

// Every panel on a scale of its own; series of the same name have the same colour, and one legend.
std::string svg_chart(const std::vector<ChartPanel>& panels);

}  // namespace geniepath::cli
