// Graphs and sparse matrices as flat lists of tensors, the form in which autograd keeps them for the backward pass.
#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>

#include <vector>

#include "geniepath/ops.h"

namespace geniepath::ops {

using TensorVector = std::vector<at::Tensor>;

inline void append(TensorVector& list, const LongRowTensors& cut) {
  list.insert(list.end(), {cut.piece_row, cut.piece_begin, cut.long_row, cut.first_piece});
}

inline LongRowTensors long_rows_at(const TensorVector& list, size_t from) {
  return {list[from], list[from + 1], list[from + 2], list[from + 3]};
}

// What the kernels write the pieces of long rows to, `width` values each.
inline at::Tensor scratch_for(const LongRowTensors& cut, int64_t width, const at::Tensor& like) {
  return at::empty({cut.piece_row.numel() * width}, like.options().dtype(at::kFloat));
}

inline void append(TensorVector& list, const GraphTensors& graph) {
  list.insert(list.end(),
              {graph.in_offset, graph.in_neighbour, graph.out_offset, graph.out_neighbour, graph.out_edge});
  append(list, graph.in_long);
  append(list, graph.out_long);
}

inline GraphTensors graph_at(const TensorVector& list, size_t from) {
  GraphTensors graph;
  graph.in_offset = list[from], graph.in_neighbour = list[from + 1];
  graph.out_offset = list[from + 2], graph.out_neighbour = list[from + 3], graph.out_edge = list[from + 4];
  graph.in_long = long_rows_at(list, from + 5), graph.out_long = long_rows_at(list, from + 9);
  return graph;
}

}  // namespace geniepath::ops
