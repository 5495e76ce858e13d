// Rows of a graph or sparse matrix: as arguments of kernels, and as the flat lists of tensors that autograd saves.
#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>

#include <vector>

#include "geniepath/ops.h"
#include "kernels/cuda/rows.h"
#include "kernels/rows.h"

namespace geniepath::ops {

using TensorVector = std::vector<at::Tensor>;

struct RowTensors {
  at::Tensor offset;     // int64 [rows + 1]; on a GPU int32 if that fits
  at::Tensor neighbour;  // int32 [entries]
  LongRowTensors cut{};  // GPU only
  at::Tensor edge{};     // ids, [entries], typed as offset; undefined: an entry's id is its position

  int64_t rows() const { return offset.numel() - 1; }
  int64_t entries() const { return neighbour.numel(); }
};

inline RowTensors incoming(const GraphTensors& graph) {
  return {graph.in_offset, graph.in_neighbour, graph.in_long, {}};
}
inline RowTensors outgoing(const GraphTensors& graph) {
  return {graph.out_offset, graph.out_neighbour, graph.out_long, graph.out_edge};
}
inline RowTensors rows_of(const SparseTensors& matrix) { return {matrix.offset, matrix.column, matrix.long_rows, {}}; }
inline RowTensors transposed_rows_of(const SparseTensors& matrix) {
  return {matrix.transposed_offset, matrix.transposed_column, matrix.transposed_long_rows, {}};
}

// Arguments of CPU kernels: pointers into the tensors.
inline kernels::Rows cpu_rows(const RowTensors& rows) {
  return {rows.rows(), rows.offset.data_ptr<int64_t>(), rows.neighbour.data_ptr<int32_t>(),
          rows.edge.defined() ? rows.edge.data_ptr<int64_t>() : nullptr};
}

// The rows [first, last) of them, for kernels that visit some rows.
inline kernels::Rows cpu_rows(const RowTensors& rows, int64_t first, int64_t last) {
  kernels::Rows some = cpu_rows(rows);
  some.first = first, some.count = last;
  return some;
}

// Arguments of GPU kernels: pointers into the tensors.
inline kernels::cuda::DeviceRows gpu_rows(const RowTensors& rows) {
  return {rows.rows(),
          rows.offset.scalar_type() == at::kLong,
          rows.offset.data_ptr(),
          rows.neighbour.data_ptr<int32_t>(),
          rows.edge.defined() ? rows.edge.data_ptr() : nullptr,
          rows.cut.piece_row.numel(),
          rows.cut.piece_row.data_ptr<int32_t>(),
          rows.cut.piece_begin.data_ptr<int64_t>(),
          rows.cut.long_row.numel(),
          rows.cut.long_row.data_ptr<int32_t>(),
          rows.cut.first_piece.data_ptr<int32_t>()};
}

// Scratch memory of GPU kernels for the pieces of long rows, `width` values per piece.
inline at::Tensor scratch_for(const RowTensors& rows, int64_t width, const at::Tensor& like) {
  return at::empty({rows.cut.piece_row.numel() * width}, like.options().dtype(at::kFloat));
}

constexpr size_t kTensorsOfRows = 7;

inline void append(TensorVector& list, const RowTensors& rows) {
  list.insert(list.end(), {rows.offset, rows.neighbour, rows.cut.piece_row, rows.cut.piece_begin, rows.cut.long_row,
                           rows.cut.first_piece, rows.edge});
}

inline RowTensors rows_at(const TensorVector& list, size_t from) {
  return {list[from],
          list[from + 1],
          {list[from + 2], list[from + 3], list[from + 4], list[from + 5]},
          list[from + 6]};
}

inline void append(TensorVector& list, const GraphTensors& graph) {
  append(list, incoming(graph));
  append(list, outgoing(graph));
}

inline GraphTensors graph_at(const TensorVector& list, size_t from) {
  const RowTensors in = rows_at(list, from), out = rows_at(list, from + kTensorsOfRows);
  GraphTensors graph;
  graph.in_offset = in.offset, graph.in_neighbour = in.neighbour, graph.in_long = in.cut;
  graph.out_offset = out.offset, graph.out_neighbour = out.neighbour, graph.out_long = out.cut;
  graph.out_edge = out.edge;
  return graph;
}

}  // namespace geniepath::ops
