#include "plain.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

namespace geniepath::bench {

PlainGraph::PlainGraph(const Graph& graph) : nodes(graph.num_nodes()) {
  source = at::empty({graph.num_edges()}, at::kLong);
  destination = at::empty({graph.num_edges()}, at::kLong);
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    for (EdgeId e = graph.incoming().offset[i]; e < graph.incoming().offset[i + 1]; ++e) {
      source.data_ptr<int64_t>()[e] = graph.incoming().neighbour[e];
      destination.data_ptr<int64_t>()[e] = i;
    }
  }
}

at::Tensor plain_attention(const PlainGraph& graph, const at::Tensor& a, const at::Tensor& b, const at::Tensor& h,
                           const at::Tensor& v) {
  const at::Tensor score =
      at::tanh(a.index_select(0, graph.destination) + b.index_select(0, graph.source)).mv(v);
  const at::Tensor largest = at::full({graph.nodes}, -INFINITY, score.options())
                                 .scatter_reduce(0, graph.destination, score.detach(), "amax");
  const at::Tensor weight = at::exp(score - largest.index_select(0, graph.destination));
  const at::Tensor sum = at::zeros({graph.nodes}, score.options()).index_add(0, graph.destination, weight);
  const at::Tensor alpha = weight / sum.index_select(0, graph.destination);
  const at::Tensor message = alpha.unsqueeze(1) * h.index_select(0, graph.source);
  return at::zeros_like(h).scatter_add(0, graph.destination.unsqueeze(1).expand_as(message), message);
}

PlainSparse::PlainSparse(const Graph& graph) {
  const PlainGraph edges(graph);
  const auto degree = at::bincount(edges.destination, {}, edges.nodes).to(at::kDouble).rsqrt();
  const at::Tensor value = degree.index_select(0, edges.destination) * degree.index_select(0, edges.source);
  const auto compressed = [&](const at::Tensor& row, const at::Tensor& column) {
    return at::sparse_coo_tensor(at::stack({row, column}), value, {edges.nodes, edges.nodes})
        .coalesce()
        .to_sparse_csr();
  };
  matrix64 = compressed(edges.destination, edges.source);
  transposed64 = compressed(edges.source, edges.destination);
  matrix = matrix64.to(at::kFloat);
  transposed = transposed64.to(at::kFloat);
}

namespace {

struct SparseProduct : torch::autograd::Function<SparseProduct> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& h, const at::Tensor& matrix,
                            const at::Tensor& transposed) {
    context->saved_data["transposed"] = transposed;
    return at::_sparse_mm(matrix, h);
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grad_outputs) {
    return {at::_sparse_mm(context->saved_data["transposed"].toTensor(), grad_outputs[0]), {}, {}};
  }
};

}  // namespace

at::Tensor plain_spmm(const PlainSparse& sparse, const at::Tensor& h) {
  const bool exact = h.scalar_type() == at::kDouble;
  return SparseProduct::apply(h, exact ? sparse.matrix64 : sparse.matrix,
                              exact ? sparse.transposed64 : sparse.transposed);
}

LayerWeights LayerWeights::random(int64_t width, at::ScalarType type) {
  const auto draw = [&](at::IntArrayRef shape) {
    return (at::randn(shape, type) * (1.0 / std::sqrt(static_cast<double>(width)))).requires_grad_();
  };
  const auto square = [&] { return draw({width, width}); };
  return {square(), square(), draw({width}), square(), square(), square(), square(), square()};
}

std::pair<at::Tensor, at::Tensor> plain_layer(const PlainGraph& graph, const LayerWeights& w, const at::Tensor& h,
                                              const at::Tensor& memory) {
  const at::Tensor agg = plain_attention(graph, h.mm(w.w_s), h.mm(w.w_d), h, w.v);
  const at::Tensor h_tmp = at::tanh(agg.mm(w.w));
  const at::Tensor input = at::sigmoid(h_tmp.mm(w.w_i)), forget = at::sigmoid(h_tmp.mm(w.w_f));
  const at::Tensor output = at::sigmoid(h_tmp.mm(w.w_o)), candidate = at::tanh(h_tmp.mm(w.w_c));
  const at::Tensor new_memory = forget * memory + input * candidate;
  return {output * at::tanh(new_memory), new_memory};
}

}  // namespace geniepath::bench
