// Wall-clock time of an action.
#pragma once

#include <chrono>
#include <functional>

namespace geniepath::bench {

inline double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace geniepath::bench
