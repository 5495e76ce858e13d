// Which nodes to learn from and be judged on, drawn by fraction and seed.
#pragma once

#include <array>

#include "geniepath/dataset.h"

namespace geniepath {

struct SplitFractions {
  double train = 0.5, valid = 0.1, test = 0.4;  // of the labelled nodes; together at most 1, the rest stays unused
};

// Labelled nodes shuffled and cut. Sizes are the fractions to the nearest node; lists come ascending.
void split_at_random(Dataset& data, const SplitFractions& fractions, int64_t seed);

// The same, with every class or label in the same proportions in each part: iterative stratification (Sechidis,
// Tsoumakas, Vlahavas 2011). The rarest label is dealt first, each of its nodes to the part that misses it most.
void split_stratified(Dataset& data, const SplitFractions& fractions, int64_t seed);

}  // namespace geniepath
