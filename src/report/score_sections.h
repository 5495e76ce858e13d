// How good predictions are: tables and curves for every kind of task.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::report {

// Of the test nodes. `probabilities` are of all nodes.
std::string score_section(const Dataset& data, const at::Tensor& probabilities, const std::vector<std::string>& class_names);

}  // namespace geniepath::report
