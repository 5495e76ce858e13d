// How good predictions are: tables and curves for every kind of task.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::report {

// Of the test nodes. `probabilities` are of all nodes; binary and multi-label predictions are those above the threshold.
std::string score_section(const Dataset& data, const at::Tensor& probabilities, double threshold,
                          const std::vector<std::string>& class_names);

}  // namespace geniepath::report
