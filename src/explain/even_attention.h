// What a model predicts if attention is taken away from it.
#pragma once

#include "explain/trace.h"

namespace geniepath::explain {

// Probabilities of all nodes, [N, outputs], if in every layer each node attends to its neighbours and itself alike, by
// the same weights otherwise (PathModel::even_breadth).
at::Tensor evenly_attended(const Trace& trace);

}  // namespace geniepath::explain
