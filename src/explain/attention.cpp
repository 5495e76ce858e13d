#include "explain/attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "nn/convolution.h"

namespace geniepath::explain {

void Attention::set_graph(const Graph& published, std::vector<int64_t> given) {
  graph = published.with({.self_loops = SelfLoops::kAdd});
  degree = std::move(given);
  for (NodeId i = static_cast<NodeId>(degree.size()); i < graph.num_nodes(); ++i) {
    degree.push_back(graph.incoming().degree(i));
  }
}

std::optional<Attention> attention_of(const Model& model, const Dataset& data) {
  const auto* stack = dynamic_cast<const nn::ConvolutionStack*>(&model);
  if (stack == nullptr) return std::nullopt;
  Attention attention;
  attention.alpha = stack->attention(ModelInput(data.features, data.graph, InputUse::kPrediction));
  if (attention.alpha.empty()) return std::nullopt;
  for (at::Tensor& alpha : attention.alpha) alpha = alpha.contiguous();
  attention.set_graph(data.graph, {});
  return attention;
}

double laplacian(const Attention& attention, NodeId source, NodeId target) {
  const auto degree = [&](NodeId node) { return static_cast<double>(attention.degree[static_cast<size_t>(node)]); };
  return 1 / std::sqrt(degree(source) * degree(target));
}

std::vector<float> alpha_of_edge(const Attention& attention, EdgeId edge) {
  std::vector<float> alpha;
  for (int64_t layer = 1; layer <= attention.depth(); ++layer) alpha.push_back(attention.alpha_of(layer)[edge]);
  return alpha;
}

void append_row(const Attention& attention, NodeId node, std::vector<PathEdge>& edges) {
  const Adjacency& in = attention.graph.incoming();
  for (EdgeId e = in.offset[node]; e < in.offset[node + 1]; ++e) {
    const NodeId source = in.neighbour[e];
    if (source == node) continue;
    edges.push_back({source, node, alpha_of_edge(attention, e), laplacian(attention, source, node), 0, 0});
  }
}

std::vector<AttentionEntropy> entropy_of(const Attention& attention, NodeId node) {
  const Adjacency& in = attention.graph.incoming();
  std::vector<AttentionEntropy> out;
  for (int64_t layer = 1; layer <= attention.depth(); ++layer) {
    const float* alpha = attention.alpha_of(layer);
    double entropy = 0;
    for (EdgeId e = in.offset[node]; e < in.offset[node + 1]; ++e) {
      if (alpha[e] > 0) entropy -= alpha[e] * std::log(static_cast<double>(alpha[e]));
    }
    out.push_back({layer, std::max(0.0, entropy), std::log(static_cast<double>(in.degree(node)))});
  }
  return out;
}

}  // namespace geniepath::explain
