#include "report/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "report/escape.h"
#include "report/numbers.h"

namespace geniepath::report {
namespace {

constexpr double kWidth = 440, kHeight = 300, kLeft = 58, kRight = 14, kTop = 36, kBottom = 46, kLegendRow = 18;
// Told apart without colour vision too (Okabe and Ito), darkened to be read on white.
constexpr const char* kColours[] = {"#0b5fa5", "#b8480a", "#11744f", "#8a3b74", "#7a6200", "#3c3c3c"};

const char* colour(size_t series) { return kColours[series % std::size(kColours)]; }

std::string tick_text(double value, double step) {
  if (std::abs(value) >= 1e5) return grouped(std::abs(value)).insert(0, value < 0 ? "-" : "");
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return fixed(value, digits);
}

// The frame all charts share: title, axes with ticks, legend. Maps values to places.
class Frame {
 public:
  Frame(Range x, Range y, size_t legend_rows) : x_(x), y_(y), bottom_(kHeight - kBottom), rows_(legend_rows) {}

  double across(double x) const { return kLeft + (x - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight); }
  double up(double y) const { return bottom_ - (y - y_.low) / (y_.high - y_.low) * (bottom_ - kTop); }

  void open(std::ostream& out, const std::string& title) const {
    out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << kWidth << " "
        << kHeight + kLegendRow * static_cast<double>(rows_)
        << "' font-family='Helvetica, Arial, sans-serif' font-size='12' fill='#1c2330' role='img' aria-label='"
        << html(title) << "'>\n<text x='" << kLeft << "' y='20' font-size='14' font-weight='600'>" << html(title)
        << "</text>\n";
  }

  void y_axis(std::ostream& out, const std::string& label) const {
    const auto at = ticks(y_, 5);
    for (const double tick : at) {
      out << "<line x1='" << kLeft << "' x2='" << kWidth - kRight << "' y1='" << fixed(up(tick), 1) << "' y2='"
          << fixed(up(tick), 1) << "' stroke='#e1e5ec'/><text x='" << kLeft - 8 << "' y='" << fixed(up(tick) + 4, 1)
          << "' text-anchor='end'>" << tick_text(tick, at.size() > 1 ? at[1] - at[0] : 1) << "</text>\n";
    }
    out << "<text transform='translate(14 " << (kTop + bottom_) / 2 << ") rotate(-90)' text-anchor='middle'>"
        << html(label) << "</text>\n";
  }

  void x_axis(std::ostream& out) const {
    const auto at = ticks(x_, 6);
    for (const double tick : at) x_tick(out, across(tick), tick_text(tick, at.size() > 1 ? at[1] - at[0] : 1));
  }
  void x_tick(std::ostream& out, double x, const std::string& text) const {
    out << "<text x='" << fixed(x, 1) << "' y='" << bottom_ + 16 << "' text-anchor='middle'>" << html(text) << "</text>\n";
  }
  void x_label(std::ostream& out, const std::string& label) const {
    out << "<line x1='" << kLeft << "' x2='" << kWidth - kRight << "' y1='" << bottom_ << "' y2='" << bottom_
        << "' stroke='#4a5464'/><text x='" << (kLeft + kWidth - kRight) / 2 << "' y='" << bottom_ + 36
        << "' text-anchor='middle'>" << html(label) << "</text>\n";
  }

  void legend(std::ostream& out, size_t n, const std::string& name, bool dotted) const {
    const double y = kHeight + kLegendRow * static_cast<double>(n / 2), x = kLeft + (n % 2 == 0 ? 0 : 190);
    out << "<line x1='" << x << "' x2='" << x + 22 << "' y1='" << y << "' y2='" << y << "' stroke='"
        << (dotted ? "#6b7484" : colour(n)) << "' stroke-width='3'" << (dotted ? " stroke-dasharray='3 4'" : "")
        << "/><text x='" << x + 28 << "' y='" << y + 4 << "'>" << html(shortened(name, 26)) << "</text>\n";
  }

 private:
  Range x_, y_;
  double bottom_;
  size_t rows_;
};

// At least a little wide, so that there is something to divide by.
Range widened(Range range) {
  if (!(range.low <= range.high)) return {0, 1};
  if (range.high - range.low < 1e-12) return {range.low - 0.5, range.high + 0.5};
  return range;
}

void include(Range& range, double value) {
  if (!std::isfinite(value)) return;
  range.low = std::min(range.low, value);
  range.high = std::max(range.high, value);
}

constexpr Range kNothing{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

void draw_line(std::ostream& out, const Frame& frame, const Series& series, size_t n, bool marks) {
  const std::string stroke = series.dotted ? "#6b7484" : colour(n);
  std::ostringstream path;
  bool open = false;
  for (const auto& [x, y] : series.points) {
    if (!std::isfinite(y)) {
      open = false;
      continue;
    }
    path << (open ? "L" : "M") << fixed(frame.across(x), 1) << " " << fixed(frame.up(y), 1);
    open = true;
  }
  out << "<path d='" << path.str() << "' fill='none' stroke='" << stroke << "' stroke-width='2' stroke-linejoin='round'"
      << (series.dotted ? " stroke-dasharray='3 4'" : "") << "/>\n";
  for (const auto& [x, y] : series.points) {
    if (!marks || series.dotted || !std::isfinite(y)) continue;
    out << "<circle cx='" << fixed(frame.across(x), 1) << "' cy='" << fixed(frame.up(y), 1) << "' r='3' fill='" << stroke
        << "'/>\n";
  }
}

}  // namespace

std::vector<double> ticks(Range range, int count) {
  range = widened(range);
  const double rough = (range.high - range.low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> at;
  for (double n = std::ceil(range.low / step - 1e-9); n * step <= range.high + step * 1e-9; ++n) at.push_back(n * step);
  return at;
}

std::string svg(const LineChart& chart) {
  Range x = kNothing, y = kNothing;
  for (const Series& series : chart.series) {
    for (const auto& [px, py] : series.points) include(x, px), include(y, py);
  }
  const size_t rows = (chart.series.size() + 1) / 2;
  const Frame frame(widened(chart.x_range.value_or(x)), widened(chart.y_range.value_or(y)), rows);
  std::ostringstream out;
  frame.open(out, chart.title);
  frame.y_axis(out, chart.y_label);
  frame.x_axis(out);
  frame.x_label(out, chart.x_label);
  for (size_t n = 0; n < chart.series.size(); ++n) {
    draw_line(out, frame, chart.series[n], n, chart.marks);
    frame.legend(out, n, chart.series[n].name, chart.series[n].dotted);
  }
  out << "</svg>\n";
  return out.str();
}

std::string svg(const BarChart& chart) {
  Range y{0, 0};
  for (const auto& bars : chart.series) {
    for (const double value : bars.values) include(y, value);
  }
  const Range across{0, std::max(1.0, static_cast<double>(chart.names.size()))};
  const Frame frame(across, widened(chart.y_range.value_or(y)), (chart.series.size() + 1) / 2);
  std::ostringstream out;
  frame.open(out, chart.title);
  frame.y_axis(out, chart.y_label);
  const double group = 0.8, width = group / static_cast<double>(std::max<size_t>(chart.series.size(), 1));
  for (size_t n = 0; n < chart.names.size(); ++n) frame.x_tick(out, frame.across(static_cast<double>(n) + 0.5), chart.names[n]);
  for (size_t s = 0; s < chart.series.size(); ++s) {
    for (size_t n = 0; n < chart.series[s].values.size(); ++n) {
      const double value = chart.series[s].values[n], left = static_cast<double>(n) + 0.1 + width * static_cast<double>(s);
      const double top = std::min(frame.up(value), frame.up(0)), bottom = std::max(frame.up(value), frame.up(0));
      out << "<rect x='" << fixed(frame.across(left) + 1, 1) << "' y='" << fixed(top, 1) << "' width='"
          << fixed(frame.across(left + width) - frame.across(left) - 2, 1) << "' height='" << fixed(bottom - top, 1)
          << "' fill='" << colour(s) << "'><title>" << html(chart.series[s].name + ", " + chart.names[n]) << ": "
          << fixed(value, 4) << "</title></rect>\n";
    }
    frame.legend(out, s, chart.series[s].name, false);
  }
  frame.x_label(out, chart.x_label);
  out << "</svg>\n";
  return out.str();
}

}  // namespace geniepath::report
