// Random draws for generators of data sets; unlike those of <random>, the same in every standard library.
#pragma once

#include <cmath>

#include "base/random.h"

namespace geniepath {

inline bool happens(Random& random, double probability) { return random.uniform() < probability; }

inline int between(Random& random, int low, int high) {  // low .. high
  return low + static_cast<int>(random.below(static_cast<uint64_t>(high - low + 1)));
}

// Knuth's method, for small means: the number of uniform factors that keep the product above exp(-mean).
inline int poisson(Random& random, double mean) {
  const double limit = std::exp(-mean);
  int count = 0;
  for (double product = random.uniform(); product > limit; product *= random.uniform()) ++count;
  return count;
}

}  // namespace geniepath
