#include "nn/graphsage.h"

#include "nn/parameters.h"
#include "ops/add_bias.h"

namespace geniepath::nn {
namespace {

constexpr double kLeastLength = 1e-12;  // keeps a row of zeros zero

}  // namespace

SageLayer::SageLayer(const ModelConfig& config, const LayerShape& shape, int64_t phi_columns)
    : ConvolutionLayer(config), sampled_(config.sampled_neighbours), unit_length_(config.unit_length) {
  w_n_ = register_parameter("w_n", matrix(phi_columns, shape.outputs));
  w_s_ = register_parameter("w_s", matrix(shape.inputs, shape.outputs));
  if (config.bias) b_ = register_parameter("b", vector(shape.outputs));
}

GraphTensors SageLayer::sample(const LayerInput& x) const {
  return sampled_ > 0 && x.trains ? ops::sampled_neighbours(x.graph(), sampled_, x.key.value()) : x.graph();
}

at::Tensor SageLayer::combine(const at::Tensor& neighbours, const LayerInput& x) const {
  const at::Tensor z = neighbours + x.times(w_s_, precision_);
  return ops::add_bias(z, b_);
}

at::Tensor SageLayer::activate(const at::Tensor& z) const {
  const at::Tensor h = ConvolutionLayer::activate(z);
  return unit_length_ ? h / at::linalg_vector_norm(h, 2, at::IntArrayRef{1}, true).clamp_min(kLeastLength) : h;
}

SageMeanLayer::SageMeanLayer(const ModelConfig& config, const LayerShape& shape)
    : SageLayer(config, shape, shape.inputs) {}

// (D^(-1) A H) W_n = D^(-1) A (H W_n). The sum includes self-loops, which A does not have; they are subtracted.
at::Tensor SageMeanLayer::forward(const LayerInput& x) const {
  const at::Tensor h = x.times(w_n_, precision_);
  const GraphTensors graph = sample(x);
  const at::Tensor scale = degree_scale(graph, -1, false, h);
  return combine(ops::neighbour_sum(graph, h, scale) - scale.unsqueeze(1) * h, x);
}

SageMaxLayer::SageMaxLayer(const ModelConfig& config, const LayerShape& shape)
    : SageLayer(config, shape, config.hidden) {
  w_p_ = register_parameter("w_p", matrix(shape.inputs, config.hidden));
  b_p_ = register_parameter("b_p", vector(config.hidden));
}

at::Tensor SageMaxLayer::forward(const LayerInput& x) const {
  const at::Tensor pooled =
      ops::neighbour_max(sample(x), at::relu(ops::add_bias(x.times(w_p_, precision_), b_p_)), true);
  return combine(ops::linear(pooled, w_n_, {}, Activation::kNone, precision_), x);
}

}  // namespace geniepath::nn
