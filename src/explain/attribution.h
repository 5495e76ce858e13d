// Integrated gradients: the shares of nodes' features in a probability.
//
//   value[n][p] = (x - b)[n][p] * integral over s from 0 to 1 of  d F / d x[n][p]  at  b + s (x - b)
//
// F is the probability of one output of the first node, as a function of the features of some nodes; all other nodes
// keep the states of the trace. The values add up to F(x) - F(b). The integral is a composite Gauss-Legendre rule,
// refined where the values do not yet add up.
#pragma once

#include <span>

#include "explain/trace.h"
#include "geniepath/explain.h"

namespace geniepath::explain {

// features, baseline: [nodes, P].
FeatureAttribution attribute(const Trace& trace, std::span<const NodeId> nodes, const at::Tensor& features,
                             const at::Tensor& baseline, int64_t output);

}  // namespace geniepath::explain
