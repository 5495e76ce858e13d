// A model's predictions with even attention in place of its own.
#pragma once

#include "explain/trace.h"

namespace geniepath::explain {

// Probabilities of all nodes, [N, outputs], if in every layer each node attends equally to its neighbours and itself,
// while the model's other weights are unchanged (PathModel::even_breadth).
at::Tensor evenly_attended(const Trace& trace);

}  // namespace geniepath::explain
