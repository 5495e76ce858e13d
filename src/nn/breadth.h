// Breadth functions phi: weigh the one-hop neighbours of a node.
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "distributed/group.h"
#include "geniepath/path_model.h"

namespace geniepath::nn {

using distributed::Group;

class BreadthFunction : public torch::nn::Module {
 public:
  // h^(t), h^(0) -> h^(tmp), all [N, K].
  virtual at::Tensor forward(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& h_0) const = 0;
  // Scales freshly drawn weights to these inputs (start.h).
  virtual void fit_start(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& h_0, Group& group) = 0;
  // The same for the nodes of `rows` only (PathModel::breadth), with the alpha of their edges.
  virtual BreadthRows forward_rows(const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const = 0;
  // Their h^(tmp) with the same alpha for all edges of a row (PathModel::even_breadth).
  virtual at::Tensor even_rows(const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const = 0;
};

// The adaptive breadth function (paper, eq. "attention_layer" and "att-mech"):
//   h_i^(tmp) = tanh(W' sum_{j in N(i) + {i}} alpha(h_i, h_j) h_j)
//   alpha(x, y) = softmax_y(v' tanh(W_s' x + W_d' y))
// Residual `hop` adds h^(t) outside the tanh, `input` adds h^(0) inside. Tied: W_s = W_d. With `layer-norm`, h_i and
// h_j above are normalised rows (mean 0, variance 1); what a residual adds is not.
class AttentionBreadth : public BreadthFunction {
 public:
  explicit AttentionBreadth(const ModelConfig& config);
  at::Tensor forward(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& h_0) const override;
  void fit_start(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& h_0, Group& group) override;
  BreadthRows forward_rows(const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const override;
  at::Tensor even_rows(const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const override;

  // [W_s' h, W_d' h] side by side, the input of the attention: [N, 2K].
  at::Tensor project(const at::Tensor& h) const;
  // The same with W_s' h only for the first `rows` nodes and 0 for the others, which are only attended to.
  at::Tensor project(const at::Tensor& h, int64_t rows) const;
  const at::Tensor& v() const { return v_; }

 private:
  at::Tensor w_s_and_w_d() const;  // side by side, [K, 2K]
  at::Tensor normalised(const at::Tensor& h) const;
  at::Tensor squash(const at::Tensor& agg, const at::Tensor& h, const at::Tensor& h_0) const;  // agg -> h^(tmp)

  at::Tensor w_s_, w_d_, v_, w_, b_;  // w_d_ is undefined if tied, b_ without biases
  bool layer_norm_;
  Residual residual_;
  int64_t depth_;  // of the model: skip connections add up over as many hops
  Precision precision_;
};

std::shared_ptr<BreadthFunction> make_breadth(const ModelConfig& config);

}  // namespace geniepath::nn
