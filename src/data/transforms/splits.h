// Random splits into training, validation and test nodes, by fraction and seed.
#pragma once

#include <array>

#include "geniepath/dataset.h"
#include "geniepath/transforms.h"

namespace geniepath {

struct SplitFractions {
  double train = 0.5, valid = 0.1, test = 0.4;  // of the labelled nodes; in total at most 1, the rest stays unused
};

// Shuffles the labelled nodes and cuts the list. Sizes are rounded to the nearest node; the lists are ascending.
void split_at_random(Dataset& data, const SplitFractions& fractions, int64_t seed);

// The same, with every class or label in the same proportions in each part: iterative stratification (Sechidis,
// Tsoumakas, Vlahavas 2011). The rarest label is dealt first, each of its nodes to the part that needs it most.
void split_stratified(Dataset& data, const SplitFractions& fractions, int64_t seed);

// Folds of equal size, with every class or label in the same proportions in each: `fold`, from 1 on, is for testing,
// the next one, or the first after the last, for validation. A fold beyond the last is an Error.
void split_into_folds(Dataset& data, int64_t folds, int64_t fold, int64_t seed);

// Draws the split that the options ask for; a given one stays.
void draw_split(Dataset& data, const TransformOptions& options);

// The split to apply: as chosen, but a stratified one in place of a given one that the data does not have.
SplitKind applied_split(const Dataset& raw, SplitKind chosen);

// Whether there is anything to split: tables for predictions may have no labels.
bool has_labelled_node(const Dataset& data);

}  // namespace geniepath
