// Quality of predictions: tables and curves for every kind of task.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::report {

// For the test nodes. `probabilities` cover all nodes; binary and multi-label predictions are above the threshold.
std::string score_section(const Dataset& data, const at::Tensor& probabilities, double threshold,
                          const std::vector<std::string>& class_names);

}  // namespace geniepath::report
