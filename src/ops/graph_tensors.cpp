#include <ATen/ATen.h>

#include <limits>

#include "base/parallel.h"
#include "distributed/halo.h"
#include "geniepath/ops.h"
#include "ops/checks.h"

namespace geniepath {
namespace {

// A tensor that shares the array's memory and keeps it alive.
template <class T>
at::Tensor share(const SharedArray<T>& array, at::ScalarType type) {
  return at::from_blob(const_cast<T*>(array.data()), {array.size()}, [keep = array](void*) {}, at::TensorOptions(type));
}

// A vector of ids as int64 on the CPU.
at::Tensor as_ids(const char* name, const at::Tensor& ids) {
  if (!at::isIntegralType(ids.scalar_type(), /*includeBool=*/false)) {
    fail("Graph: ", name, " has dtype ", at::toString(ids.scalar_type()), ", expected integers");
  }
  return ids.detach().to(at::kCPU, at::kLong).contiguous();
}

NodeId checked_num_nodes(int64_t num_nodes) {
  if (num_nodes < 0 || num_nodes >= std::numeric_limits<NodeId>::max()) {
    fail("Graph: num_nodes is ", num_nodes, ", expected 0 to below ", std::numeric_limits<NodeId>::max());
  }
  return static_cast<NodeId>(num_nodes);
}

// The ids, which must lie in 0 .. num_nodes - 1.
std::span<const int64_t> checked_ids(const char* name, const at::Tensor& ids, NodeId num_nodes) {
  const std::span<const int64_t> id(ids.data_ptr<int64_t>(), static_cast<size_t>(ids.numel()));
  const auto e = static_cast<size_t>(first_in_parallel(std::ssize(id), [&](int64_t edge) {
    return id[static_cast<size_t>(edge)] < 0 || id[static_cast<size_t>(edge)] >= num_nodes;
  }));
  if (e < id.size()) fail("Graph: ", name, " of edge ", e, " is ", id[e], ", expected 0 to below ", num_nodes);
  return id;
}

// The target of every edge of rows, whose offsets are checked.
std::vector<int64_t> row_numbers(const at::Tensor& offset, NodeId rows, int64_t edges) {
  const int64_t* at = offset.data_ptr<int64_t>();
  if (at[0] != 0 || at[rows] != edges) {
    fail("Graph: offset runs from ", at[0], " to ", at[rows], ", expected 0 to ", edges);
  }
  std::vector<int64_t> target;
  target.reserve(static_cast<size_t>(edges));
  for (NodeId row = 0; row < rows; ++row) {
    if (at[row + 1] < at[row] || at[row + 1] > edges) fail("Graph: offset of row ", row + 1, " is ", at[row + 1]);
    target.insert(target.end(), static_cast<size_t>(at[row + 1] - at[row]), row);
  }
  return target;
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

Graph graph_from_edge_index(const at::Tensor& edge_index, int64_t num_nodes, const GraphOptions& options) {
  if (edge_index.dim() != 2 || edge_index.size(0) != 2) {
    fail("Graph: edge_index has shape ", c10::str(edge_index.sizes()), ", expected [2, E]");
  }
  const at::Tensor ids = as_ids("edge_index", edge_index);
  if (num_nodes == -1) num_nodes = ids.numel() == 0 ? 0 : ids.max().item<int64_t>() + 1;
  const NodeId nodes = checked_num_nodes(num_nodes);
  const at::Tensor source = ids[0], target = ids[1];
  const auto sources = checked_ids("source", source, nodes), targets = checked_ids("target", target, nodes);
  return Graph::from_wide_edges(nodes, sources, targets, options);
}

Graph graph_from_csr(const at::Tensor& offset, const at::Tensor& source, const GraphOptions& options) {
  if (offset.dim() != 1 || offset.numel() == 0)
    fail("Graph: offset has shape ", c10::str(offset.sizes()), ", expected [N + 1]");
  if (source.dim() != 1) fail("Graph: source has shape ", c10::str(source.sizes()), ", expected [E]");
  const at::Tensor begins = as_ids("offset", offset), ids = as_ids("source", source);
  const NodeId nodes = checked_num_nodes(offset.numel() - 1);
  const auto sources = checked_ids("source", ids, nodes);
  return Graph::from_wide_edges(nodes, sources, row_numbers(begins, nodes, ids.numel()), options);
}

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
  there.halo_nodes = halo_nodes, there.interior_nodes = interior_nodes;
  if (halo) there.halo = std::make_shared<const distributed::Halo>(halo->to(device));
  if (!out_offset.defined()) return there;
  there.out_offset = narrowed(out_offset, num_edges(), device);
  there.out_neighbour = out_neighbour.to(device);
  there.out_edge = narrowed(out_edge, num_edges(), device);
  there.out_long = cut(out_offset, device);
  return there;
}

std::vector<at::Tensor> tensors_of(const GraphTensors& graph) {
  std::vector<at::Tensor> list{graph.in_offset, graph.in_neighbour, graph.out_offset, graph.out_neighbour,
                               graph.out_edge};
  if (graph.in_offset.is_cpu()) return list;
  for (const LongRowTensors& rows : {graph.in_long, graph.out_long}) {
    list.insert(list.end(), {rows.piece_row, rows.piece_begin, rows.long_row, rows.first_piece});
  }
  return list;
}

GraphTensors graph_of_tensors(const std::vector<at::Tensor>& tensors) {
  if (tensors.size() != 5 && tensors.size() != 13) {
    fail("graph_of_tensors: found ", tensors.size(), " tensors, expected 5 or, of a graph for a GPU, 13");
  }
  GraphTensors graph;
  graph.in_offset = tensors[0], graph.in_neighbour = tensors[1];
  graph.out_offset = tensors[2], graph.out_neighbour = tensors[3], graph.out_edge = tensors[4];
  if (tensors.size() == 5) return graph;
  graph.in_long = {tensors[5], tensors[6], tensors[7], tensors[8]};
  graph.out_long = {tensors[9], tensors[10], tensors[11], tensors[12]};
  return graph;
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
