// How long an answer took.
#pragma once

#include <chrono>

namespace geniepath::serve {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace geniepath::serve
