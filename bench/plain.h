// The rival: the paper's formulas written with LibTorch's own operators, as in any framework.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/graph.h"

namespace geniepath::bench {

// Edge lists in the form those operators take.
struct PlainGraph {
  explicit PlainGraph(const Graph& graph);
  at::Tensor source, destination;  // int64 [E]
  int64_t nodes;
};

// agg[i] = sum_j alpha_ij h[j], alpha_i = softmax_j v . tanh(a[i] + b[j]).   a, b, h: [N, K]   v: [K]
at::Tensor plain_attention(const PlainGraph& graph, const at::Tensor& a, const at::Tensor& b, const at::Tensor& h,
                           const at::Tensor& v);

// GCN's D^(-1/2) A D^(-1/2) as LibTorch's compressed rows, and its transpose for the gradient, both built in advance.
struct PlainSparse {
  explicit PlainSparse(const Graph& graph);
  at::Tensor matrix, transposed;      // f32
  at::Tensor matrix64, transposed64;  // f64, for the exact answer
};
at::Tensor plain_spmm(const PlainSparse& sparse, const at::Tensor& h);

struct LayerWeights {
  at::Tensor w_s, w_d, v, w, w_i, w_f, w_o, w_c;  // [K, K], v: [K]
  std::vector<at::Tensor> all() const { return {w_s, w_d, v, w, w_i, w_f, w_o, w_c}; }
  static LayerWeights random(int64_t width, at::ScalarType type);
};

// The adaptive path layer: h, memory -> h', memory'.
std::pair<at::Tensor, at::Tensor> plain_layer(const PlainGraph& graph, const LayerWeights& weights, const at::Tensor& h,
                                              const at::Tensor& memory);

}  // namespace geniepath::bench
