// Operations on a graph that is divided among processes (distributed/halo.h): they fetch the rows that others own, run on
// all rows, and keep the own ones.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/ops.h"

namespace geniepath::ops {

// The same edges as a graph by itself, with the halo's nodes as its last ones.
GraphTensors with_halo_nodes(const GraphTensors& graph);

// h [N, K] with the rows of the halo below, differentiable.
at::Tensor with_halo_rows(const GraphTensors& graph, const at::Tensor& h);

inline at::Tensor own_rows(const GraphTensors& graph, const at::Tensor& x) { return x.narrow(0, 0, graph.num_nodes()); }

}  // namespace geniepath::ops
