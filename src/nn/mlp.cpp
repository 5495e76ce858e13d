#include "nn/mlp.h"

#include "nn/parameters.h"

namespace geniepath::nn {

Mlp::Mlp(const ModelConfig& config, int64_t features) {
  ModelConfig with_bias = config;
  with_bias.bias = true;
  input_ = register_module("input", std::make_shared<InputLayer>(with_bias, features));
  for (int64_t t = 1; t < config.depth; ++t) {
    w_.push_back(register_parameter("w_" + std::to_string(t), matrix(config.hidden, config.hidden)));
    b_.push_back(register_parameter("b_" + std::to_string(t), vector(config.hidden)));
  }
}

at::Tensor Mlp::represent(const ModelInput& input, Pass& pass) const {
  at::Tensor h = pass.drop(at::relu(input_->forward(input)), dropout_);
  const int64_t layers = std::ssize(w_) + 1;
  pass.layer_done(1, layers);
  for (size_t t = 0; t < w_.size(); ++t) {
    h = pass.drop(at::relu(ops::linear(h, w_[t], b_[t], Activation::kNone, precision_)), dropout_);
    pass.layer_done(static_cast<int64_t>(t) + 2, layers);
  }
  return h;
}

}  // namespace geniepath::nn
