#include "nn/depth.h"

#include "geniepath/error.h"
#include "nn/parameters.h"
#include "ops/precision.h"

namespace geniepath::nn {

LstmDepth::LstmDepth(const ModelConfig& config, bool with_mu) : precision_(ops::precision_named(config.precision)) {
  const int64_t width = config.hidden, inputs = with_mu ? 2 * width : width;
  w_i_ = register_parameter("w_i", matrix(inputs, width));
  w_f_ = register_parameter("w_f", matrix(inputs, width));
  w_o_ = register_parameter("w_o", matrix(inputs, width));
  w_c_ = register_parameter("w_c", matrix(inputs, width));
  if (config.bias) b_ = register_parameter("b", vector(4 * width));
}

at::Tensor LstmDepth::forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) {
  at::Tensor out;
  std::tie(out, memory) = ops::gated_memory(x, mu, at::cat({w_i_, w_f_, w_o_, w_c_}, 1), b_, memory, precision_);
  return out;
}

GruDepth::GruDepth(const ModelConfig& config, bool with_mu) : precision_(ops::precision_named(config.precision)) {
  const int64_t width = config.hidden, inputs = with_mu ? 2 * width : width;
  w_u_ = register_parameter("w_u", matrix(inputs, width));
  w_c_ = register_parameter("w_c", matrix(inputs, width));
  if (config.bias) {
    b_u_ = register_parameter("b_u", vector(width));
    b_c_ = register_parameter("b_c", vector(width));
  }
}

at::Tensor GruDepth::forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) {
  const at::Tensor z = mu.defined() ? at::cat({x, mu}, 1) : x;
  const at::Tensor update = at::sigmoid(ops::linear(z, w_u_, b_u_, Activation::kNone, precision_));
  const at::Tensor candidate = ops::linear(z, w_c_, b_c_, Activation::kTanh, precision_);
  memory = memory.defined() ? update * memory + (1 - update) * candidate : (1 - update) * candidate;
  return memory;
}

at::Tensor IdentityDepth::forward(const at::Tensor& x, const at::Tensor&, at::Tensor&) { return x; }

std::shared_ptr<DepthFunction> make_depth(const ModelConfig& config, bool with_mu) {
  if (config.depth_function == "lstm") return std::make_shared<LstmDepth>(config, with_mu);
  if (config.depth_function == "gru") return std::make_shared<GruDepth>(config, with_mu);
  if (config.depth_function == "identity") return std::make_shared<IdentityDepth>();
  fail("depth-function: '", config.depth_function, "' is not one of lstm, gru, identity");
}

}  // namespace geniepath::nn
