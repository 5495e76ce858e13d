#include "report/plot_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/escape.h"
#include "report/numbers.h"

namespace geniepath::report {
namespace {

std::string tick_text(double value, const std::vector<double>& all) {
  if (std::abs(value) >= 1e5) return grouped(std::abs(value)).insert(0, value < 0 ? "-" : "");
  const double step = all.size() > 1 ? all[1] - all[0] : 1;
  return fixed(value, std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6));
}

void write_text(std::ostream& out, double x, double y, const char* anchor, const std::string& text) {
  out << "<text x='" << fixed(x, 1) << "' y='" << fixed(y, 1) << "' text-anchor='" << anchor << "'>" << html(text)
      << "</text>\n";
}

}  // namespace

Range no_range() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {kInfinity, -kInfinity};
}

void include(Range& range, double value) {
  if (!std::isfinite(value)) return;
  range.low = std::min(range.low, value);
  range.high = std::max(range.high, value);
}

Range widened(Range range) {
  if (!(range.low <= range.high)) return {0, 1};
  if (range.high - range.low < 1e-12) return {range.low - 0.5, range.high + 0.5};
  return range;
}

std::vector<double> ticks(Range range, int count, bool whole) {
  range = widened(range);
  const double rough = (range.high - range.low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * 0.999) {
      step = factor * power;
      break;
    }
  }
  if (whole) step = std::max(step, 1.0);
  std::vector<double> at;
  for (double n = std::ceil(range.low / step - 1e-9); n * step <= range.high + step * 1e-9; ++n) at.push_back(n * step);
  return at;
}

std::vector<std::string> wrapped(const std::string& text, size_t characters) {
  std::vector<std::string> lines{""};
  for (size_t from = 0; from < text.size();) {
    const size_t stop = text.find_first_of(" -", from), to = stop == std::string::npos ? text.size() : stop + 1;
    const std::string word = text.substr(from, to - from);
    const size_t shown = word.size() - (word.back() == ' ');
    if (!lines.back().empty() && lines.back().size() + shown > characters) lines.emplace_back();
    lines.back() += word;
    from = to;
  }
  return lines;
}

void Frame::mark(std::ostream& out, double x, const std::string& text) const {
  const double at = across(x);
  const bool right = at < box_.left + box_.width / 2;
  out << "<line x1='" << fixed(at, 1) << "' x2='" << fixed(at, 1) << "' y1='" << box_.top << "' y2='" << bottom()
      << "' stroke='#6b7484' stroke-dasharray='5 3'/><text x='" << fixed(at + (right ? 5 : -5), 1) << "' y='"
      << box_.top - 3 << "' text-anchor='" << (right ? "start" : "end") << "'>" << html(text) << "</text>\n";
}

void Frame::title(std::ostream& out, const std::string& text) const {
  out << "<text x='" << box_.left << "' y='" << box_.top - 16 << "' font-size='14' font-weight='600'>" << html(text)
      << "</text>\n";
}

void Frame::y_axis(std::ostream& out, const std::string& label) const {
  const auto at = ticks(y_, 6);
  for (const double tick : at) {
    out << "<line x1='" << box_.left << "' x2='" << box_.left + box_.width << "' y1='" << fixed(up(tick), 1) << "' y2='"
        << fixed(up(tick), 1) << "' stroke='#e1e5ec'/>";
    write_text(out, box_.left - 8, up(tick) + 4, "end", tick_text(tick, at));
  }
  out << "<text transform='translate(" << box_.left - 44 << " " << box_.top + box_.height / 2
      << ") rotate(-90)' text-anchor='middle'>" << html(label) << "</text>\n";
}

void Frame::x_axis(std::ostream& out, const std::string& label, bool whole) const {
  const auto at = ticks(x_, whole ? 8 : 6, whole);
  for (const double tick : at) write_text(out, across(tick), bottom() + 16, "middle", tick_text(tick, at));
  x_line(out, label, 1);
}

void Frame::x_names(std::ostream& out, const std::vector<std::vector<std::string>>& names,
                    const std::string& label) const {
  size_t most = 1;
  for (size_t n = 0; n < names.size(); ++n) {
    most = std::max(most, names[n].size());
    for (size_t line = 0; line < names[n].size(); ++line) {
      write_text(out, across(static_cast<double>(n) + 0.5), bottom() + 16 + kLineHeight * static_cast<double>(line),
                 "middle", shortened(names[n][line], 14));
    }
  }
  x_line(out, label, most);
}

void Frame::x_line(std::ostream& out, const std::string& label, size_t lines) const {
  out << "<line x1='" << box_.left << "' x2='" << box_.left + box_.width << "' y1='" << bottom() << "' y2='" << bottom()
      << "' stroke='#4a5464'/>\n";
  if (label.empty()) return;
  write_text(out, box_.left + box_.width / 2, bottom() + 23 + kLineHeight * static_cast<double>(lines), "middle",
             label);
}

void Frame::whisker(std::ostream& out, double x, double value, double spread, const std::string& colour) const {
  if (!(spread > 0) || !std::isfinite(value)) return;
  const std::string left = fixed(across(x) - 3, 1), right = fixed(across(x) + 3, 1), middle = fixed(across(x), 1);
  const std::string low = fixed(up(value - spread), 1), high = fixed(up(value + spread), 1);
  out << "<path class='whisker' d='M" << left << " " << low << "H" << right << "M" << middle << " " << low << "V"
      << high << "M" << left << " " << high << "H" << right << "' fill='none' stroke='" << colour << "'/>\n";
}

}  // namespace geniepath::report
