// The gate profile of nodes: how open each gate was, and what of the final memory each hop brought.
#pragma once

#include <vector>

#include "geniepath/explain.h"
#include "geniepath/path_model.h"

namespace geniepath::explain {

// What each update left in the final memory, [R, K] each:  c_t = (product over s > t of f_s) * i_t * C~_t.
// They add up to the memory.
std::vector<at::Tensor> contributions(const DepthTrace& trace);

// By node, then by update.
std::vector<std::vector<GateProfile>> gate_profiles(const DepthTrace& trace);

}  // namespace geniepath::explain
