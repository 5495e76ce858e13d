#include <ATen/ATen.h>

#include "geniepath/ops.h"

namespace geniepath {
namespace {

// A tensor over the array's memory, which it keeps alive.
template <class T>
at::Tensor share(const SharedArray<T>& array, at::ScalarType type) {
  return at::from_blob(const_cast<T*>(array.data()), {array.size()}, [keep = array](void*) {}, at::TensorOptions(type));
}

}  // namespace

GraphTensors::GraphTensors(const Graph& graph)
    : in_offset(share(graph.incoming().offset, at::kLong)),
      in_neighbour(share(graph.incoming().neighbour, at::kInt)),
      out_offset(share(graph.outgoing().offset, at::kLong)),
      out_neighbour(share(graph.outgoing().neighbour, at::kInt)),
      out_edge(share(graph.outgoing_edge(), at::kLong)) {}

SparseTensors::SparseTensors(const SparseMatrix& matrix)
    : offset(share(matrix.offset, at::kLong)),
      column(share(matrix.column, at::kInt)),
      value(share(matrix.value, at::kFloat)) {
  const SparseMatrix turned = matrix.transposed();
  transposed_offset = share(turned.offset, at::kLong);
  transposed_column = share(turned.column, at::kInt);
  transposed_value = share(turned.value, at::kFloat);
}

}  // namespace geniepath
