// Running summary of events with a value and a time, such as the ratings or transfers that one node received.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace geniepath {

struct EventSummary {
  int64_t count = 0;
  // All 0 before the first event.
  double sum = 0, sum_of_squares = 0;
  double lowest = 0, highest = 0;
  double first = 0, last = 0;  // times

  void add(double value, double time) {
    lowest = count == 0 ? value : std::min(lowest, value);
    highest = count == 0 ? value : std::max(highest, value);
    first = count == 0 ? time : std::min(first, time);
    last = count == 0 ? time : std::max(last, time);
    sum += value;
    sum_of_squares += value * value;
    ++count;
  }
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
  double deviation() const {  // of the population
    if (count == 0) return 0;
    return std::sqrt(std::max(0.0, sum_of_squares / static_cast<double>(count) - mean() * mean()));
  }
};

}  // namespace geniepath
