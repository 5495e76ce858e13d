// Gate profiles of nodes: the openness of each gate, and each hop's part in the final memory.
#pragma once

#include <span>
#include <vector>

#include "geniepath/explain.h"
#include "geniepath/path_model.h"

namespace geniepath::explain {

// Part of each update in the final memory, [R, K] each:  c_t = (product over s > t of f_s) * i_t * C~_t.
// Their sum is the memory.
std::vector<at::Tensor> contributions(const DepthTrace& trace);

// Per node, then per update.
std::vector<std::vector<GateProfile>> gate_profiles(const DepthTrace& trace);

// Means over the nodes, by update; computed by blocks of nodes.
std::vector<GateProfile> mean_profile(const Explainer& explainer, std::span<const NodeId> nodes);

}  // namespace geniepath::explain
