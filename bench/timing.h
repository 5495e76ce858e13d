// Wall-clock time of an action.
#pragma once

#include <chrono>
#include <ctime>
#include <functional>

namespace geniepath::bench {

inline double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Time by the clock, and the CPU time of all threads, which other programs on the machine affect less.
struct Times {
  double wall = 0, cpu = 0;
  Times operator+(const Times& other) const { return {wall + other.wall, cpu + other.cpu}; }
};

inline Times times_of(const std::function<void()>& action) {
  const std::clock_t start = std::clock();
  const double wall = seconds_of(action);
  return {wall, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

}  // namespace geniepath::bench
