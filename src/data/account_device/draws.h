// Draws that the generators of data sets share. Not those of <random>, which differ between standard libraries.
#pragma once

#include <cmath>

#include "base/random.h"

namespace geniepath {

inline bool happens(Random& random, double probability) { return random.uniform() < probability; }

inline int between(Random& random, int low, int high) {  // low .. high
  return low + static_cast<int>(random.below(static_cast<uint64_t>(high - low + 1)));
}

// Knuth's method: how many uniform factors keep the product above exp(-mean). For small means.
inline int poisson(Random& random, double mean) {
  const double limit = std::exp(-mean);
  int count = 0;
  for (double product = random.uniform(); product > limit; product *= random.uniform()) ++count;
  return count;
}

}  // namespace geniepath
