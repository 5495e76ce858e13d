// Depth functions varphi: filter the hops through a memory per node.
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "distributed/group.h"
#include "geniepath/path_model.h"

namespace geniepath::nn {

using distributed::Group;

class DepthFunction : public torch::nn::Module {
 public:
  // One hop. In geniepath, x is h^(tmp) and mu is undefined; in geniepath-lazy, x and mu are h^(t) and mu^(t), read as
  // CONCAT(x, mu). Updates the memory C (undefined at first: zeros) and returns the new representations. All [N, K].
  virtual at::Tensor forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) const = 0;
  // Scales freshly drawn weights to these inputs (start.h).
  virtual void fit_start(const at::Tensor& /*x*/, const at::Tensor& /*mu*/, const at::Tensor& /*memory*/,
                         Group& /*group*/) {}
  // The gates of forward(): memory' = forget * memory + input * candidate.
  virtual Gates gates(const at::Tensor& x, const at::Tensor& mu) const = 0;
};

// The paper's:  i, f, o = sigmoid(W_i' z), sigmoid(W_f' z), sigmoid(W_o' z)   C~ = tanh(W_c' z)
//               C = f * C + i * C~     out = o * tanh(C)
class LstmDepth : public DepthFunction {
 public:
  LstmDepth(const ModelConfig& config, bool with_mu);
  void fit_start(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& memory, Group& group) override;
  at::Tensor forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) const override;
  Gates gates(const at::Tensor& x, const at::Tensor& mu) const override;

 private:
  at::Tensor w_i_, w_f_, w_o_, w_c_, b_;
  int64_t hops_;  // of the model
  Precision precision_;
};

// GRU-like, with a single gate:  u = sigmoid(W_u' z)   C = u * C + (1 - u) * tanh(W_c' z)     out = C
class GruDepth : public DepthFunction {
 public:
  GruDepth(const ModelConfig& config, bool with_mu);
  void fit_start(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& memory, Group& group) override;
  at::Tensor forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) const override;
  Gates gates(const at::Tensor& x, const at::Tensor& mu) const override;

 private:
  at::Tensor w_u_, w_c_, b_u_, b_c_;
  Precision precision_;
};

// No filter: out = x. As gates, a memory that is replaced at every hop.
class IdentityDepth : public DepthFunction {
 public:
  at::Tensor forward(const at::Tensor& x, const at::Tensor& mu, at::Tensor& memory) const override;
  Gates gates(const at::Tensor& x, const at::Tensor& mu) const override;
};

std::shared_ptr<DepthFunction> make_depth(const ModelConfig& config, bool with_mu);

}  // namespace geniepath::nn
