#include "nn/depth.h"

#include "nn/parameters.h"
#include "nn/start.h"

namespace geniepath::nn {

namespace {

at::Tensor concat(const at::Tensor& x, const at::Tensor& mu) { return mu.defined() ? at::cat({x, mu}, 1) : x; }

}  // namespace

LstmDepth::LstmDepth(const ModelConfig& config, bool with_mu)
    : hops_(config.depth), precision_(config.precision) {
  const int64_t width = config.hidden, inputs = with_mu ? 2 * width : width;
  w_i_ = register_parameter("w_i", matrix(inputs, width));
  w_f_ = register_parameter("w_f", matrix(inputs, width));
  w_o_ = register_parameter("w_o", matrix(inputs, width));
  w_c_ = register_parameter("w_c", matrix(inputs, width));
  if (config.bias) b_ = register_parameter("b", vector(4 * width));
}

void LstmDepth::fit_start(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& memory, Group& group) {
  const at::Tensor z = concat(x, mu);
  start::centre_and_scale(w_c_, z, 0, start::kBeforeTanh, group);
  const auto open = [&](at::Tensor& w, int64_t which, double by) {
    start::centre_and_scale(w, z, 0, start::kGate, group);
    if (b_.defined()) {
      b_.narrow(0, which * x.size(1), x.size(1)).fill_(by);
    } else {
      start::offset(w, z, by, group);
    }
  };
  const start::Openings openings = mu.defined() ? start::Openings{} : start::openings(hops_, !memory.defined());
  open(w_i_, 0, openings.input);
  open(w_f_, 1, openings.forget);
  open(w_o_, 2, openings.output);
}

at::Tensor LstmDepth::forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) const {
  at::Tensor out;
  std::tie(out, memory) = ops::gated_memory(x, mu, at::cat({w_i_, w_f_, w_o_, w_c_}, 1), b_, memory, precision_);
  return out;
}

Gates LstmDepth::gates(const at::Tensor& x, const at::Tensor& mu) const {
  const at::Tensor z = concat(x, mu);
  const auto pre = [&](const at::Tensor& w, int64_t which) {
    const at::Tensor bias = b_.defined() ? b_.narrow(0, which * x.size(1), x.size(1)) : b_;
    return ops::linear(z, w, bias, Activation::kNone, precision_);
  };
  return {at::sigmoid(pre(w_i_, 0)), at::sigmoid(pre(w_f_, 1)), at::sigmoid(pre(w_o_, 2)), at::tanh(pre(w_c_, 3))};
}

GruDepth::GruDepth(const ModelConfig& config, bool with_mu) : precision_(config.precision) {
  const int64_t width = config.hidden, inputs = with_mu ? 2 * width : width;
  w_u_ = register_parameter("w_u", matrix(inputs, width));
  w_c_ = register_parameter("w_c", matrix(inputs, width));
  if (config.bias) {
    b_u_ = register_parameter("b_u", vector(width));
    b_c_ = register_parameter("b_c", vector(width));
  }
}

void GruDepth::fit_start(const at::Tensor& x, const at::Tensor& mu, const at::Tensor&, Group& group) {
  const at::Tensor z = concat(x, mu);
  start::centre_and_scale(w_u_, z, 0, start::kGate, group);
  start::centre_and_scale(w_c_, z, 0, start::kBeforeTanh, group);
}

at::Tensor GruDepth::forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) const {
  const auto [input, forget, output, candidate] = gates(x, mu);
  memory = memory.defined() ? forget * memory + input * candidate : input * candidate;
  return memory;
}

Gates GruDepth::gates(const at::Tensor& x, const at::Tensor& mu) const {
  const at::Tensor z = concat(x, mu);
  const at::Tensor update = ops::sigmoid(ops::linear(z, w_u_, b_u_, Activation::kNone, precision_));
  return {1 - update, update, at::ones_like(update), ops::linear(z, w_c_, b_c_, Activation::kTanh, precision_)};
}

at::Tensor IdentityDepth::forward(const at::Tensor& x, const at::Tensor&, at::Tensor&) const { return x; }

Gates IdentityDepth::gates(const at::Tensor& x, const at::Tensor&) const {
  return {at::ones_like(x), at::zeros_like(x), at::ones_like(x), x};
}

std::shared_ptr<DepthFunction> make_depth(const ModelConfig& config, bool with_mu) {
  switch (config.depth_function) {
    case DepthKind::kLstm: return std::make_shared<LstmDepth>(config, with_mu);
    case DepthKind::kGru: return std::make_shared<GruDepth>(config, with_mu);
    case DepthKind::kIdentity: break;
  }
  return std::make_shared<IdentityDepth>();
}

}  // namespace geniepath::nn
