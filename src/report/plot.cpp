#include "report/plot.h"

#include <algorithm>
#include <cmath>

#include "base/text_stream.h"
#include "report/escape.h"
#include "report/numbers.h"

namespace geniepath::report {
namespace {

constexpr double kLeft = 58, kRight = 14, kTop = 36, kHeight = 218, kBottom = 46;
constexpr double kWidth = 440, kNameWidth = 84, kBarWidth = 38, kLabelHeight = 20, kLegendGap = 14, kLegendRow = 18,
                 kLegendColumn = 190;
constexpr size_t kNameCharacters = 11;
// Distinguishable with colour blindness (Okabe and Ito), darkened for legibility on white.
constexpr const char* kColours[] = {"#0b5fa5", "#b8480a", "#11744f", "#8a3b74", "#7a6200", "#3c3c3c"};
constexpr const char *kGreyLine = "#6b7484", *kGreyBar = "#a9b1bf", *kInk = "#1c2330";

// Colours of names, the same in all charts.
class Legend {
 public:
  explicit Legend(const std::vector<Chart>& panels) {
    for (const Chart& panel : panels) {
      std::visit([&](const auto& chart) { add_all(chart); }, panel);
    }
  }

  const char* colour(const std::string& name) const { return find(name)->colour; }
  double height(double width) const {
    return kLegendRow * std::ceil(static_cast<double>(entries_.size()) / static_cast<double>(columns(width)));
  }

  void draw(std::ostream& out, double top, double width) const {
    for (size_t n = 0; n < entries_.size(); ++n) {
      const double y = top + kLegendRow * static_cast<double>(n / columns(width));
      const double x = kLeft + kLegendColumn * static_cast<double>(n % columns(width));
      out << "<line x1='" << x << "' x2='" << x + 22 << "' y1='" << y << "' y2='" << y << "' stroke='"
          << entries_[n].colour << "' stroke-width='" << (entries_[n].bar ? 10 : 3) << "'"
          << (entries_[n].colour == kGreyLine ? " stroke-dasharray='3 4'" : "") << "/><text x='" << x + 28 << "' y='"
          << y + 4 << "'>" << html(shortened(entries_[n].name, 26)) << "</text>\n";
    }
  }

 private:
  struct Entry {
    std::string name;
    const char* colour;
    bool bar;
  };

  std::vector<Entry>::const_iterator find(const std::string& name) const {
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  }
  template <class AnyChart>
  void add_all(const AnyChart& chart) {
    constexpr bool kBar = std::is_same_v<AnyChart, BarChart>;
    for (const auto& series : chart.series) {
      if (find(series.name) != entries_.end()) continue;
      const char* grey = kBar ? kGreyBar : kGreyLine;
      entries_.push_back({series.name, series.reference ? grey : kColours[coloured_ % std::size(kColours)], kBar});
      coloured_ += !series.reference;
    }
  }
  static size_t columns(double width) {
    return static_cast<size_t>(std::max(1.0, std::floor((width - kLeft) / kLegendColumn)));
  }

  std::vector<Entry> entries_;
  size_t coloured_ = 0;
};

double spread_at(const std::vector<double>& spread, size_t n) { return n < spread.size() ? spread[n] : 0; }

// Adds a margin, so that marks at the ends are not clipped.
Range with_margin(Range range, double low, double high) {
  range = widened(range);
  const double width = range.high - range.low;
  return {range.low - low * width, range.high + high * width};
}

double width_of(const LineChart&) { return kWidth; }
double width_of(const BarChart& chart) {
  const double name = std::max(kNameWidth, kBarWidth * static_cast<double>(chart.series.size()));
  return chart.digits ? std::max(kWidth, kLeft + kRight + name * static_cast<double>(chart.names.size())) : kWidth;
}

std::vector<std::vector<std::string>> name_lines(const BarChart& chart) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& name : chart.names) lines.push_back(wrapped(name, kNameCharacters));
  return lines;
}

double bottom_of(const LineChart&) { return kBottom; }
double bottom_of(const BarChart& chart) {
  size_t most = 1;
  for (const auto& lines : name_lines(chart)) most = std::max(most, lines.size());
  return kBottom + kLineHeight * static_cast<double>(most - 1) - (chart.x_label.empty() ? kLabelHeight : 0);
}

void draw_line(std::ostream& out, const Frame& frame, const Series& series, const char* colour, bool marks) {
  TextStream path;
  bool open = false;
  for (const auto& [x, y] : series.points) {
    if (std::isfinite(y)) path << (open ? "L" : "M") << fixed(frame.across(x), 1) << " " << fixed(frame.up(y), 1);
    open = std::isfinite(y);
  }
  out << "<path d='" << path.str() << "' fill='none' stroke='" << colour << "' stroke-width='2' stroke-linejoin='round'"
      << (series.reference ? " stroke-dasharray='3 4'" : "") << "/>\n";
  for (size_t n = 0; n < series.points.size(); ++n) {
    const auto [x, y] = series.points[n];
    frame.whisker(out, x, y, spread_at(series.spread, n), colour);
    if (!marks || series.reference || !std::isfinite(y)) continue;
    out << "<circle cx='" << fixed(frame.across(x), 1) << "' cy='" << fixed(frame.up(y), 1) << "' r='3' fill='"
        << colour << "'><title>" << html(series.name) << ": " << fixed(y, 4) << "</title></circle>\n";
  }
}

void draw(std::ostream& out, const LineChart& chart, const Box& box, const Legend& legend) {
  Range x = no_range(), y = no_range();
  for (const Series& series : chart.series) {
    for (size_t n = 0; n < series.points.size(); ++n) {
      const double spread = spread_at(series.spread, n);
      include(x, series.points[n].first);
      include(y, series.points[n].second - spread), include(y, series.points[n].second + spread);
    }
  }
  if (chart.marks) x = with_margin(x, 0.03, 0.03), y = with_margin(y, 0.05, 0.05);
  const Frame frame(box, widened(chart.x_range.value_or(x)), widened(chart.y_range.value_or(y)));
  frame.title(out, chart.title);
  frame.y_axis(out, chart.y_label);
  frame.x_axis(out, chart.x_label, chart.whole);
  if (chart.mark) frame.mark(out, chart.mark->x, chart.mark->text);
  for (const Series& series : chart.series) draw_line(out, frame, series, legend.colour(series.name), chart.marks);
}

// The bars of series s, one per name.
void draw_bars(std::ostream& out, const Frame& frame, const BarChart& chart, size_t s, const char* colour) {
  const BarChart::Bars& bars = chart.series[s];
  const double width = 0.8 / static_cast<double>(chart.series.size());
  for (size_t n = 0; n < bars.values.size(); ++n) {
    const double value = bars.values[n], left = static_cast<double>(n) + 0.1 + width * static_cast<double>(s);
    if (!std::isfinite(value)) continue;
    const double top = std::min(frame.up(value), frame.up(0)), bottom = std::max(frame.up(value), frame.up(0));
    out << "<rect x='" << fixed(frame.across(left) + 1, 1) << "' y='" << fixed(top, 1) << "' width='"
        << fixed(frame.across(left + width) - frame.across(left) - 2, 1) << "' height='" << fixed(bottom - top, 1)
        << "' fill='" << colour << "'><title>" << html(bars.name + ", " + chart.names[n]) << ": " << fixed(value, 4)
        << "</title></rect>\n";
    const double spread = spread_at(bars.spread, n);
    frame.whisker(out, left + width / 2, value, spread, kInk);
    if (!chart.digits) continue;
    out << "<text x='" << fixed(frame.across(left + width / 2), 1) << "' y='" << fixed(frame.up(value + spread) - 4, 1)
        << "' text-anchor='middle' font-size='10'>" << fixed(value, *chart.digits) << "</text>\n";
  }
}

void draw(std::ostream& out, const BarChart& chart, const Box& box, const Legend& legend) {
  Range y{0, 0};  // bars are compared by their length
  for (const auto& bars : chart.series) {
    for (size_t n = 0; n < bars.values.size(); ++n) {
      include(y, bars.values[n] - spread_at(bars.spread, n)), include(y, bars.values[n] + spread_at(bars.spread, n));
    }
  }
  if (chart.digits) y = with_margin(y, 0, 0.06);
  const Range across{0, std::max(1.0, static_cast<double>(chart.names.size()))};
  const Frame frame(box, across, widened(chart.y_range.value_or(y)));
  frame.title(out, chart.title);
  frame.y_axis(out, chart.y_label);
  for (size_t s = 0; s < chart.series.size(); ++s) draw_bars(out, frame, chart, s, legend.colour(chart.series[s].name));
  frame.x_names(out, name_lines(chart), chart.x_label);
}

// Size of the panels, equal within a drawing.
struct PanelSize {
  double width = kWidth, height = 0;
};

PanelSize size_of(const std::vector<Chart>& panels) {
  double width = kWidth, bottom = 0;
  for (const Chart& panel : panels) {
    width = std::max(width, std::visit([](const auto& chart) { return width_of(chart); }, panel));
    bottom = std::max(bottom, std::visit([](const auto& chart) { return bottom_of(chart); }, panel));
  }
  return {width, kTop + kHeight + bottom};
}

std::string titles(const std::vector<Chart>& panels) {
  std::string text;
  for (const Chart& panel : panels) {
    text += (text.empty() ? "" : ", ") + std::visit([](const auto& chart) { return chart.title; }, panel);
  }
  return text;
}

}  // namespace

std::string svg(const Chart& chart) { return svg(std::vector<Chart>{chart}); }

std::string svg(const std::vector<Chart>& panels) {
  const Legend legend(panels);
  const PanelSize panel = size_of(panels);
  const size_t columns = panels.size() > 1 ? 2 : 1, rows = (panels.size() + columns - 1) / columns;
  const double width = panel.width * static_cast<double>(columns), top = panel.height * static_cast<double>(rows);
  const double height = top + kLegendGap + legend.height(width);
  TextStream out;
  out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << width << " " << height << "' width='" << width
      << "' height='" << height << "' font-family='Helvetica, Arial, sans-serif' font-size='12' fill='" << kInk
      << "' role='img' aria-label='" << html(titles(panels)) << "'>\n<rect width='" << width << "' height='" << height
      << "' fill='#fff'/>\n";
  for (size_t p = 0; p < panels.size(); ++p) {
    const Box box{panel.width * static_cast<double>(p % columns) + kLeft,
                  panel.height * static_cast<double>(p / columns) + kTop, panel.width - kLeft - kRight, kHeight};
    std::visit([&](const auto& chart) { draw(out, chart, box, legend); }, panels[p]);
  }
  legend.draw(out, top + kLegendGap, width);
  out << "</svg>\n";
  return out.str();
}

}  // namespace geniepath::report
