// Random draws for generators of data sets; unlike those of <random>, the same in every standard library.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "geniepath/graph.h"

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

// The numbers 0 .. count-1 in random order: node ids that reveal nothing about how the nodes were made.
inline std::vector<NodeId> shuffled_ids(NodeId count, Random random) {
  std::vector<NodeId> ids(static_cast<size_t>(count));
  std::iota(ids.begin(), ids.end(), NodeId{0});
  shuffle(ids, random);
  return ids;
}

}  // namespace geniepath
