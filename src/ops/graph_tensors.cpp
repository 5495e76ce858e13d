#include <ATen/ATen.h>

#include <limits>

#include "geniepath/ops.h"
#include "ops/checks.h"

namespace geniepath {
namespace {

// A tensor that shares the array's memory and keeps it alive.
template <class T>
at::Tensor share(const SharedArray<T>& array, at::ScalarType type) {
  return at::from_blob(const_cast<T*>(array.data()), {array.size()}, [keep = array](void*) {}, at::TensorOptions(type));
}

// Offsets or edge ids on a GPU, as int32 if all entries fit.
at::Tensor narrowed(const at::Tensor& index, int64_t entries, at::Device device) {
  const bool fits = entries <= std::numeric_limits<int32_t>::max();
  return fits ? index.to(at::kInt).to(device) : index.to(device);
}

LongRowTensors cut(const at::Tensor& offset, at::Device device) {
  const kernels::cuda::LongRows rows =
      kernels::cuda::cut_long_rows({offset.numel() - 1, offset.data_ptr<int64_t>(), nullptr, nullptr});
  return {at::tensor(rows.piece_row).to(device), at::tensor(rows.piece_begin).to(device),
          at::tensor(rows.long_row).to(device), at::tensor(rows.first_piece).to(device)};
}

}  // namespace

GraphTensors::GraphTensors(const Graph& graph, InputUse use)
    : in_offset(share(graph.incoming().offset, at::kLong)), in_neighbour(share(graph.incoming().neighbour, at::kInt)) {
  if (use == InputUse::kPrediction) return;
  out_offset = share(graph.outgoing().offset, at::kLong);
  out_neighbour = share(graph.outgoing().neighbour, at::kInt);
  out_edge = share(graph.outgoing_edge(), at::kLong);
}

GraphTensors GraphTensors::to(at::Device device) const {
  if (device == in_offset.device()) return *this;
  ops::check_way("graph", in_offset.device(), device);
  GraphTensors there;
  there.in_offset = narrowed(in_offset, num_edges(), device);
  there.in_neighbour = in_neighbour.to(device);
  there.in_long = cut(in_offset, device);
  if (!out_offset.defined()) return there;
  there.out_offset = narrowed(out_offset, num_edges(), device);
  there.out_neighbour = out_neighbour.to(device);
  there.out_edge = narrowed(out_edge, num_edges(), device);
  there.out_long = cut(out_offset, device);
  return there;
}

SparseTensors::SparseTensors(const SparseMatrix& matrix, InputUse use)
    : offset(share(matrix.offset, at::kLong)),
      column(share(matrix.column, at::kInt)),
      value(share(matrix.value, at::kFloat)) {
  if (use == InputUse::kPrediction) {
    transposed_offset = at::zeros({matrix.columns + 1}, at::kLong);
    return;
  }
  const SparseMatrix turned = matrix.transposed();
  transposed_offset = share(turned.offset, at::kLong);
  transposed_column = share(turned.column, at::kInt);
  transposed_value = share(turned.value, at::kFloat);
}

SparseTensors SparseTensors::to(at::Device device) const {
  if (device == offset.device()) return *this;
  ops::check_way("sparse matrix", offset.device(), device);
  SparseTensors there;
  there.offset = narrowed(offset, column.numel(), device);
  there.column = column.to(device);
  there.value = value.to(device);
  there.transposed_offset = narrowed(transposed_offset, column.numel(), device);
  there.long_rows = cut(offset, device);
  if (!transposed_column.defined()) return there;
  there.transposed_column = transposed_column.to(device);
  there.transposed_value = transposed_value.to(device);
  there.transposed_long_rows = cut(transposed_offset, device);
  return there;
}

}  // namespace geniepath
