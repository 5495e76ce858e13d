// Shared parts of charts: mapping of values to the drawing, axes with ticks, and labels.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace geniepath::report {

constexpr double kLineHeight = 13;  // of the words below an axis

struct Range {
  double low = 0, high = 1;
};

// An empty range, to be extended by include().
Range no_range();
void include(Range& range, double value);  // ignores NaN and infinities
// Made at least slightly wide, so that its width can be divided by.
Range widened(Range range);

// Steps of 1, 2 or 5 times a power of ten, about `count` of them, that cover the range; `whole`: never below 1.
std::vector<double> ticks(Range range, int count, bool whole = false);

// Breaks `text` at spaces and dashes into lines of at most `characters` where possible.
std::vector<std::string> wrapped(const std::string& text, size_t characters);

// The area that values are drawn in.
struct Box {
  double left = 0, top = 0, width = 0, height = 0;
};

class Frame {
 public:
  Frame(Box box, Range x, Range y) : box_(box), x_(x), y_(y) {}

  double across(double x) const { return box_.left + (x - x_.low) / (x_.high - x_.low) * box_.width; }
  double up(double y) const { return bottom() - (y - y_.low) / (y_.high - y_.low) * box_.height; }
  double bottom() const { return box_.top + box_.height; }

  void title(std::ostream& out, const std::string& text) const;
  void y_axis(std::ostream& out, const std::string& label) const;
  void x_axis(std::ostream& out, const std::string& label, bool whole) const;
  // An axis of names instead of numbers: name n, in lines, is placed below n + 0.5.
  void x_names(std::ostream& out, const std::vector<std::vector<std::string>>& names, const std::string& label) const;
  // A vertical line with a text above it, on the side with more room.
  void mark(std::ostream& out, double x, const std::string& text) const;
  // A whisker of value ± spread.
  void whisker(std::ostream& out, double x, double value, double spread, const std::string& colour) const;

 private:
  void x_line(std::ostream& out, const std::string& label, size_t lines) const;

  Box box_;
  Range x_, y_;
};

}  // namespace geniepath::report
