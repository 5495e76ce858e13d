// The attention of some nodes of a graph, for looking at a part of it.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/ops.h"

namespace geniepath::ops {

// Rows of the first R of M nodes: row i lists the nodes that node i attends to.
struct NodeRows {
  at::Tensor offset;     // int64 [R + 1]
  at::Tensor neighbour;  // int32 [E], below M
  int64_t size() const { return offset.numel() - 1; }
};

struct AttentionRows {
  at::Tensor agg;    // [R, K]
  at::Tensor alpha;  // [E], by position in neighbour
};

// edge_attention of the R nodes, on the same kernel.   ab: [M, 2K]   h: [M, K]   v: [K]      Not differentiable.
AttentionRows edge_attention_rows(const NodeRows& rows, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                                  Precision precision = Precision::kF32);

}  // namespace geniepath::ops
