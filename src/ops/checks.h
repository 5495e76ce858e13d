// Argument checks of operations, with messages such as "edge_attention: h has 3 rows but the graph has 4 nodes".
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/error.h"
#include "geniepath/ops.h"
#include "kernels/cuda/rows.h"

namespace geniepath::ops {

// An operand as the caller gave it, or one that may be converted already, on a GPU: f32 to bf16.
enum class Operand { kGiven, kConverted };

// The dtype that is computed in.
inline at::ScalarType computed_type(const at::Tensor& x) {
  return x.is_cuda() && x.scalar_type() == at::kBFloat16 ? at::kFloat : x.scalar_type();
}

inline void check_floating(const char* op, const char* name, const at::Tensor& x, Operand operand = Operand::kGiven) {
  if (!x.defined()) fail(op, ": ", name, " is undefined");
  if (!x.is_cpu() && !x.is_cuda()) fail(op, ": ", name, " is on ", x.device().str(), ", expected cpu or cuda");
  if (x.layout() != at::kStrided) fail(op, ": ", name, " has layout ", x.layout(), ", expected a dense tensor");
  if (x.is_cuda() && x.scalar_type() == at::kDouble)
    fail(op, ": ", name, " is f64 on ", x.device().str(), ": f64 runs on the CPU");
  const at::ScalarType type = operand == Operand::kConverted ? computed_type(x) : x.scalar_type();
  if (type != at::kFloat && type != at::kDouble) {
    fail(op, ": ", name, " has dtype ", at::toString(type), ", expected f32 or f64");
  }
}

// Checks for the dtype and device of another argument.
inline void check_like(const char* op, const char* name, const at::Tensor& x, const at::Tensor& like) {
  if (computed_type(x) != computed_type(like)) {
    fail(op, ": ", name, " has dtype ", at::toString(x.scalar_type()), ", expected ",
         at::toString(computed_type(like)));
  }
  if (x.device() != like.device()) {
    fail(op, ": ", name, " is on ", x.device().str(), ", expected ", like.device().str());
  }
}

// Checks for a matrix of this size (-1: any) with the dtype and device of `like`.
inline void check_matrix(const char* op, const char* name, const at::Tensor& x, int64_t rows, int64_t columns,
                         const at::Tensor& like, Operand operand = Operand::kGiven) {
  check_floating(op, name, x, operand);
  if (x.dim() != 2) fail(op, ": ", name, " has ", x.dim(), " dimensions, expected 2");
  if (rows >= 0 && x.size(0) != rows) fail(op, ": ", name, " has ", x.size(0), " rows, expected ", rows);
  if (columns >= 0 && x.size(1) != columns) fail(op, ": ", name, " has ", x.size(1), " columns, expected ", columns);
  check_like(op, name, x, like);
}

inline void check_vector(const char* op, const char* name, const at::Tensor& x, int64_t size, const at::Tensor& like) {
  check_floating(op, name, x);
  if (x.dim() != 1 || x.size(0) != size) {
    fail(op, ": ", name, " has shape ", c10::str(x.sizes()), ", expected [", size, "]");
  }
  check_like(op, name, x, like);
}

// Checks rows from outside the library: dtypes, order, and neighbours in 0 .. columns - 1.
inline void check_rows(const char* op, const at::Tensor& offset, const at::Tensor& neighbour, int64_t columns) {
  if (offset.scalar_type() != at::kLong || offset.dim() != 1 || offset.numel() == 0 || !offset.is_contiguous()) {
    fail(op, ": row offsets must be int64 [rows + 1]");
  }
  if (neighbour.scalar_type() != at::kInt || neighbour.dim() != 1 || !neighbour.is_contiguous()) {
    fail(op, ": neighbours must be int32 [entries]");
  }
  const int64_t* at = offset.data_ptr<int64_t>();
  const int64_t rows = offset.numel() - 1;
  for (int64_t r = 0; r < rows; ++r) {
    if (at[r + 1] < at[r]) fail(op, ": the offset of row ", r + 1, " is below that of row ", r);
  }
  if (at[0] != 0 || at[rows] != neighbour.numel()) {
    fail(op, ": row offsets run from ", at[0], " to ", at[rows], ", expected 0 to ", neighbour.numel());
  }
  for (int64_t e = 0; e < neighbour.numel(); ++e) {
    const int32_t j = neighbour.data_ptr<int32_t>()[e];
    if (j < 0 || j >= columns) fail(op, ": entry ", e, " is ", j, ", expected 0 to below ", columns);
  }
}

// Checks a graph from outside the library, in both directions.
inline void check_graph(const char* op, const GraphTensors& graph) {
  check_rows(op, graph.in_offset, graph.in_neighbour, graph.num_nodes());
  check_rows(op, graph.out_offset, graph.out_neighbour, graph.num_nodes());
  if (graph.out_offset.numel() != graph.in_offset.numel() || graph.out_edge.scalar_type() != at::kLong ||
      graph.out_edge.dim() != 1 || graph.out_edge.numel() != graph.num_edges() || !graph.out_edge.is_contiguous() ||
      graph.out_neighbour.numel() != graph.num_edges()) {
    fail(op, ": the two directions of the graph do not have the same nodes and edges");
  }
  for (int64_t e = 0; e < graph.num_edges(); ++e) {
    const int64_t id = graph.out_edge.data_ptr<int64_t>()[e];
    if (id < 0 || id >= graph.num_edges()) fail(op, ": out_edge ", e, " names edge ", id, " of ", graph.num_edges());
  }
}

// Graphs and matrices are only moved from the CPU to a GPU.
inline void check_way(const char* what, at::Device from, at::Device to) {
  if (from.is_cpu() && to.is_cuda()) return;
  fail(what, ": cannot be moved from ", from.str(), " to ", to.str(), ", only from cpu to cuda");
}

// Checks for a matrix with one row per node, on the graph's device. GPU kernels hold a row in a group of lanes, which
// limits its width.
inline void check_nodes(const char* op, const char* name, const at::Tensor& x, const GraphTensors& graph,
                        Operand operand = Operand::kGiven) {
  check_matrix(op, name, x, -1, -1, x, operand);
  if (x.size(0) != graph.num_nodes()) {
    fail(op, ": ", name, " has ", x.size(0), " rows but the graph has ", graph.num_nodes(), " nodes");
  }
  if (x.device() != graph.in_offset.device()) {
    fail(op, ": ", name, " is on ", x.device().str(), ", but the graph is on ", graph.in_offset.device().str());
  }
  if (x.is_cuda() && x.size(1) > kernels::cuda::kLargestWidth) {
    fail(op, ": ", name, " has ", x.size(1), " columns, expected at most ", kernels::cuda::kLargestWidth, " on a GPU");
  }
}

}  // namespace geniepath::ops
