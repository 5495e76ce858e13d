// Accuracy by the length of a node's true path, in data that has it (Dataset::path_length).
#pragma once

#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::training {

struct LengthAccuracy {
  int64_t length = 0, nodes = 0;
  double accuracy = 0;  // as in Scores
};

// Accuracy on the test nodes, by ascending length; empty if the lengths are unknown. probabilities: of all nodes, from
// predict().
std::vector<LengthAccuracy> accuracy_by_length(const Dataset& data, const at::Tensor& probabilities, double threshold);

}  // namespace geniepath::training
