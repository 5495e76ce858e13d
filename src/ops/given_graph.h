// Graphs of registered operators: an edge_index [2, E], as PyG has it, to which self-loops are added and whose parallel
// edges are merged; or the tensors of a GraphTensors (tensors_of()): five on the CPU, or thirteen on the GPU that uses
// them.
#pragma once

#include "geniepath/ops.h"

namespace geniepath::ops {

// The graph of the given tensors, on the device of `like`. Checked and converted once, for as long as the tensors live
// unchanged (MadeFrom).
GraphTensors given_graph(const char* op, at::TensorList tensors, const at::Tensor& like);

// The size of arrays with a value per edge, known before the graph is: parallel edges are not merged yet.
int64_t most_edges(at::TensorList tensors, int64_t nodes);

}  // namespace geniepath::ops
