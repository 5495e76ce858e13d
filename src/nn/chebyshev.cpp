#include "nn/chebyshev.h"

#include "nn/parameters.h"
#include "ops/add_bias.h"

namespace geniepath::nn {
namespace {

// L~ h, with scale = d^(-1/2). The sum includes self-loops, which A does not have; they are subtracted.
at::Tensor times_laplacian(const GraphTensors& graph, const at::Tensor& scale, const at::Tensor& h) {
  return scale.square().unsqueeze(1) * h - ops::neighbour_sum(graph, h, scale, scale);
}

}  // namespace

ChebyshevLayer::ChebyshevLayer(const ModelConfig& config, const LayerShape& shape) : ConvolutionLayer(config) {
  for (int64_t k = 0; k <= config.order; ++k) {
    w_.push_back(register_parameter("w_" + std::to_string(k), matrix(shape.inputs, shape.outputs)));
  }
  if (config.bias) b_ = register_parameter("b", vector(shape.outputs));
}

// Clenshaw's recurrence on H W_k: s_k = H W_k + 2 L~ s_(k+1) - s_(k+2), z = H W_0 + L~ s_1 - s_2. X stays sparse.
at::Tensor ChebyshevLayer::forward(const LayerInput& x) const {
  at::Tensor above, two_above;  // s_(k+1), s_(k+2)
  const size_t order = w_.size() - 1;
  at::Tensor scale;
  for (size_t k = order + 1; k-- > 0;) {
    at::Tensor s = x.times(w_[k], precision_);
    if (!scale.defined()) scale = degree_scale(x.graph(), -0.5, false, s);
    if (above.defined()) s = s + (k == 0 ? 1 : 2) * times_laplacian(x.graph(), scale, above);
    if (two_above.defined()) s = s - two_above;
    two_above = above;
    above = s;
  }
  return ops::add_bias(above, b_);
}

}  // namespace geniepath::nn
