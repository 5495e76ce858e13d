#include "nn/breadth.h"

#include <ATen/ATen.h>

#include <cmath>

#include "nn/parameters.h"
#include "nn/row_means.h"
#include "nn/start.h"

namespace geniepath::nn {

AttentionBreadth::AttentionBreadth(const ModelConfig& config)
    : layer_norm_(config.layer_norm), residual_(config.residual), depth_(config.depth), precision_(config.precision) {
  const int64_t width = config.hidden;
  w_s_ = register_parameter("w_s", matrix(width, width));
  if (!config.tied) w_d_ = register_parameter("w_d", matrix(width, width));
  v_ = register_parameter("v", vector(width));
  w_ = register_parameter("w", matrix(width, width));
  if (config.bias) b_ = register_parameter("b", vector(width));
}

at::Tensor AttentionBreadth::w_s_and_w_d() const { return at::cat({w_s_, w_d_.defined() ? w_d_ : w_s_}, 1); }

at::Tensor AttentionBreadth::project(const at::Tensor& h) const {
  return ops::linear(h, w_s_and_w_d(), {}, Activation::kNone, precision_);
}

at::Tensor AttentionBreadth::project(const at::Tensor& h, int64_t rows) const {
  const int64_t width = h.size(1);
  const auto product = [&](const at::Tensor& x, const at::Tensor& w) {
    return ops::linear(x, w, {}, Activation::kNone, precision_);
  };
  at::Tensor ab = at::zeros({h.size(0), 2 * width}, h.options());
  ab.narrow(0, 0, rows).narrow(1, 0, width).copy_(product(h.narrow(0, 0, rows), w_s_));
  ab.narrow(1, width, width).copy_(product(h, w_d_.defined() ? w_d_ : w_s_));
  return ab;
}

at::Tensor AttentionBreadth::forward(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& h_0) const {
  return squash(ops::projected_attention(graph, normalised(h), w_s_and_w_d(), v_, precision_), h, h_0);
}

void AttentionBreadth::fit_start(const GraphTensors& graph, const at::Tensor& h_t, const at::Tensor&, Group& group) {
  const at::Tensor h = normalised(h_t);
  start::centre_and_scale(w_s_, h, 0, start::kBeforeTanh, group);
  if (w_d_.defined()) start::centre_and_scale(w_d_, h, 0, start::kBeforeTanh, group);
  start::scale_scores(v_, start::score_deviation(graph, ops::edge_attention_weights(graph, project(h), v_), group));
  const at::Tensor agg = ops::projected_attention(graph, h, w_s_and_w_d(), v_, precision_);
  if (residual_ == Residual::kNone) return start::centre_and_scale(w_, agg, start::kMean, start::kBeforeTanh, group);
  start::centre_and_scale(w_, agg, 0, start::kSkip / std::sqrt(static_cast<double>(depth_)), group);
}

BreadthRows AttentionBreadth::forward_rows(const ops::NodeRows& rows, const at::Tensor& h,
                                           const at::Tensor& h_0) const {
  const at::Tensor read = normalised(h), ab = rows.size() == h.size(0) ? project(read) : project(read, rows.size());
  const auto [agg, alpha] = ops::edge_attention_rows(rows, ab, read, v_, precision_);
  return {squash(agg, h.narrow(0, 0, rows.size()), h_0.narrow(0, 0, rows.size())), alpha};
}

at::Tensor AttentionBreadth::even_rows(const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const {
  return squash(row_means(rows, normalised(h)), h.narrow(0, 0, rows.size()), h_0.narrow(0, 0, rows.size()));
}

// Normalises rows without a gain of its own: W_s, W_d and W follow.
at::Tensor AttentionBreadth::normalised(const at::Tensor& h) const {
  return layer_norm_ ? at::layer_norm(h, {h.size(1)}) : h;
}

at::Tensor AttentionBreadth::squash(const at::Tensor& agg, const at::Tensor& h, const at::Tensor& h_0) const {
  if (residual_ == Residual::kInput) return ops::tanh(ops::linear(agg, w_, b_, Activation::kNone, precision_) + h_0);
  const at::Tensor h_tmp = ops::linear(agg, w_, b_, Activation::kTanh, precision_);
  return residual_ == Residual::kHop ? h_tmp + h : h_tmp;
}

std::shared_ptr<BreadthFunction> make_breadth(const ModelConfig& config) {
  return std::make_shared<AttentionBreadth>(config);
}

}  // namespace geniepath::nn
