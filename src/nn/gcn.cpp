#include "nn/gcn.h"

#include "nn/parameters.h"
#include "ops/add_bias.h"

namespace geniepath::nn {

GcnLayer::GcnLayer(const ModelConfig& config, const LayerShape& shape) : ConvolutionLayer(config) {
  w_ = register_parameter("w", matrix(shape.inputs, shape.outputs));
  if (config.bias) b_ = register_parameter("b", vector(shape.outputs));
}

// (A~ H) W = A~ (H W): sums over neighbours on the side with shorter rows.
at::Tensor GcnLayer::forward(const LayerInput& x) const {
  const bool sum_first = x.dense().defined() && w_.size(0) < w_.size(1);
  const at::Tensor z = sum_first ? ops::linear(aggregate(x.graph(), x.dense()), w_, {}, Activation::kNone, precision_)
                                 : aggregate(x.graph(), x.times(w_, precision_));
  return ops::add_bias(z, b_);
}

at::Tensor GcnLayer::aggregate(const GraphTensors& graph, const at::Tensor& h) const {
  const at::Tensor scale = degree_scale(graph, -0.5, true, h);
  return ops::neighbour_sum(graph, h, scale, scale);
}

at::Tensor GcnMeanLayer::aggregate(const GraphTensors& graph, const at::Tensor& h) const {
  return ops::neighbour_sum(graph, h, degree_scale(graph, -1, true, h));
}

}  // namespace geniepath::nn
