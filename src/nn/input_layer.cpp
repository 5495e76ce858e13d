#include "nn/input_layer.h"

#include "nn/parameters.h"
#include "nn/start.h"
#include "ops/add_bias.h"

namespace geniepath::nn {

InputLayer::InputLayer(const ModelConfig& config, int64_t features)
    : precision_(config.precision) {
  w_x_ = register_parameter("w_x", matrix(features, config.hidden));
  if (config.bias) b_x_ = register_parameter("b_x", vector(config.hidden));
}

void InputLayer::fit_start(const ModelInput& input, distributed::Group& group) {
  start::scale(w_x_, forward(input), start::kInput, group);
}

at::Tensor InputLayer::forward(const ModelInput& input) const {
  if (input.dense.defined()) return ops::linear(input.dense, w_x_, b_x_, Activation::kNone, precision_);
  return ops::add_bias(ops::sparse_linear(input.sparse, w_x_), b_x_);
}

}  // namespace geniepath::nn
