// Attention of a model over a graph: the alpha of every edge and layer.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "geniepath/explain.h"

namespace geniepath::explain {

struct Attention {
  Graph graph;                    // N(i) + {i}
  std::vector<int64_t> degree;    // the node itself counted; in the whole graph, if the data is a part of one
  std::vector<at::Tensor> alpha;  // of layers 1 .. T, [E] by position in graph.incoming()

  // The graph with self-loops. `degree`: as far as given, else counted here.
  void set_graph(const Graph& published, std::vector<int64_t> degree);
  int64_t depth() const { return static_cast<int64_t>(alpha.size()); }
  const float* alpha_of(int64_t layer) const { return alpha[static_cast<size_t>(layer - 1)].data_ptr<float>(); }
};

// The attention of a model that is no PathModel (gat), from one forward pass; none if the model does not attend.
std::optional<Attention> attention_of(const Model& model, const Dataset& data);

double laplacian(const Attention& attention, NodeId source, NodeId target);
std::vector<float> alpha_of_edge(const Attention& attention, EdgeId edge);

// Appends the edges into the node but its self-loop, by ascending source, without `best` and `total`.
void append_row(const Attention& attention, NodeId node, std::vector<PathEdge>& edges);

std::vector<AttentionEntropy> entropy_of(const Attention& attention, NodeId node);

}  // namespace geniepath::explain
