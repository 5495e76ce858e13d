#include "svg_chart.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/escape.h"
#include "text.h"

namespace geniepath::cli {
namespace {

// Okabe and Ito's colours, told apart by colour-blind people too.
constexpr const char* kColours[] = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#999999"};
constexpr double kWidth = 420, kHeight = 300, kLeft = 56, kRight = 12, kTop = 34, kBottom = 92, kLegend = 26;

struct Range {
  double low = INFINITY, high = -INFINITY;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

// 1, 2 or 5 times a power of ten, so that about `steps` of them cover the range.
double tick_step(const Range& range, int steps) {
  const double rough = std::max(range.high - range.low, 1e-9) / steps;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

double legend_step(const std::string& name) { return 36 + 7 * static_cast<double>(name.size()); }

class PanelDrawing {
 public:
  PanelDrawing(const ChartPanel& panel, const std::vector<std::string>& names, double left, std::ostream& out)
      : panel_(panel), names_(names), left_(left), out_(out) {
    for (const ChartSeries& series : panel.series) {
      for (size_t n = 0; n < series.y.size(); ++n) {
        const double spread = series.spread.empty() ? 0 : series.spread[n];
        y_.add(series.y[n] - spread), y_.add(series.y[n] + spread);
        x_.add(series.x[n]);
      }
    }
    if (!(y_.low <= y_.high)) y_ = {0, 1}, x_ = {0, 1};
    const double margin = std::max(0.05 * (y_.high - y_.low), 1e-3);
    y_ = {std::max(0.0, y_.low - margin), y_.high + margin};
    if (panel.categories.empty()) return;
    x_ = {-0.5, static_cast<double>(panel.categories.size()) - 0.5};
    y_.low = 0;  // bars are compared by their length
  }

  void draw() const {
    text(left_ + kWidth / 2, 20, "middle", 13, panel_.title);
    draw_axes();
    for (size_t s = 0; s < panel_.series.size(); ++s) panel_.categories.empty() ? draw_line(s) : draw_bars(s);
  }

 private:
  double x_at(double x) const { return left_ + kLeft + x_.share(x) * (kWidth - kLeft - kRight); }
  double y_at(double y) const { return kHeight - kBottom - y_.share(y) * (kHeight - kTop - kBottom); }
  const char* colour(size_t s) const {
    const auto at = std::find(names_.begin(), names_.end(), panel_.series[s].name) - names_.begin();
    return kColours[static_cast<size_t>(at) % std::size(kColours)];
  }
  void text(double x, double y, const char* anchor, int size, const std::string& words, double turn = 0) const {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\" font-size=\"" << size << "\"";
    if (turn != 0) out_ << " transform=\"rotate(" << turn << " " << x << " " << y << ")\"";
    out_ << ">" << report::html(words) << "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const char* stroke, double width) const {
    out_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2 << "\" stroke=\"" << stroke
         << "\" stroke-width=\"" << width << "\"/>\n";
  }

  void draw_axes() const {
    const double step = tick_step(y_, 5);
    const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    for (double y = std::ceil(y_.low / step) * step; y <= y_.high + 1e-12; y += step) {
      line(x_at(x_.low), y_at(y), x_at(x_.high), y_at(y), "#dddddd", 1);
      text(x_at(x_.low) - 6, y_at(y) + 4, "end", 11, fixed(y, digits));
    }
    for (size_t c = 0; c < panel_.categories.size(); ++c) {
      const double x = x_at(static_cast<double>(c));
      text(x, kHeight - kBottom + 14, "end", 11, panel_.categories[c], -35);
    }
    if (panel_.categories.empty()) {
      for (double x = std::ceil(x_.low); x <= x_.high; ++x) {
        text(x_at(x), kHeight - kBottom + 16, "middle", 11, fixed(x, 0));
      }
    }
    text(left_ + kWidth / 2, kHeight - kBottom + 36, "middle", 11, panel_.x_label);
    text(left_ + 14, (kTop + kHeight - kBottom) / 2, "middle", 11, panel_.y_label, -90);
  }

  void draw_whisker(const ChartSeries& series, size_t n, double x) const {
    if (series.spread.empty() || series.spread[n] <= 0) return;
    line(x, y_at(series.y[n] - series.spread[n]), x, y_at(series.y[n] + series.spread[n]), "#333333", 1);
  }

  void draw_bars(size_t s) const {
    const ChartSeries& series = panel_.series[s];
    const double slot = (x_at(1) - x_at(0)) * 0.8, width = slot / static_cast<double>(panel_.series.size());
    for (size_t n = 0; n < series.y.size(); ++n) {
      const double left = x_at(series.x[n]) - slot / 2 + width * static_cast<double>(s);
      out_ << "<rect x=\"" << left << "\" y=\"" << y_at(series.y[n]) << "\" width=\"" << width << "\" height=\""
           << y_at(y_.low) - y_at(series.y[n]) << "\" fill=\"" << colour(s) << "\"/>\n";
      draw_whisker(series, n, left + width / 2);
    }
  }

  void draw_line(size_t s) const {
    const ChartSeries& series = panel_.series[s];
    out_ << "<polyline fill=\"none\" stroke=\"" << colour(s) << "\" stroke-width=\"2\" points=\"";
    for (size_t n = 0; n < series.y.size(); ++n) out_ << x_at(series.x[n]) << "," << y_at(series.y[n]) << " ";
    out_ << "\"/>\n";
    for (size_t n = 0; n < series.y.size(); ++n) {
      out_ << "<circle cx=\"" << x_at(series.x[n]) << "\" cy=\"" << y_at(series.y[n]) << "\" r=\"3\" fill=\""
           << colour(s) << "\"/>\n";
      draw_whisker(series, n, x_at(series.x[n]));
    }
  }

  const ChartPanel& panel_;
  const std::vector<std::string>& names_;
  double left_;
  std::ostream& out_;
  Range x_, y_;
};

}  // namespace

std::string svg_chart(const std::vector<ChartPanel>& panels) {
  std::vector<std::string> names;
  for (const ChartPanel& panel : panels) {
    for (const ChartSeries& series : panel.series) {
      if (std::find(names.begin(), names.end(), series.name) == names.end()) names.push_back(series.name);
    }
  }
  double legend_width = kLeft;
  for (const std::string& name : names) legend_width += legend_step(name);
  const double width = std::max(kWidth * static_cast<double>(panels.size()), legend_width), height = kHeight + kLegend;
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height << "\" width=\"" << width
      << "\" height=\"" << height << "\" font-family=\"sans-serif\">\n<rect width=\"" << width << "\" height=\""
      << height << "\" fill=\"white\"/>\n";
  for (size_t p = 0; p < panels.size(); ++p)
    PanelDrawing(panels[p], names, kWidth * static_cast<double>(p), out).draw();
  double x = kLeft;
  for (size_t n = 0; n < names.size(); ++n) {
    out << "<rect x=\"" << x << "\" y=\"" << kHeight << "\" width=\"12\" height=\"12\" fill=\""
        << kColours[n % std::size(kColours)] << "\"/>\n<text x=\"" << x + 17 << "\" y=\"" << kHeight + 11
        << "\" font-size=\"12\">" << report::html(names[n]) << "</text>\n";
    x += legend_step(names[n]);
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace geniepath::cli
