// Stacks of graph convolutions, as the methods the paper compares with have them:
//   h^(t+1) = sigma(layer_t(h^(t))), t = 0 .. T-1, h^(0) = X, sigma = ReLU unless the layer says otherwise
// The scores are W_y' h^(T), or, with output `layer`, layer_(T-1)(h^(T-1)) itself without a sigma, as the papers of GCN
// and GAT have it. Residual `hop` adds h^(t) outside the sigma, `input` adds h^(1), the first of width K, inside; both
// from the second layer on, not in the output layer. Dropout falls on what every layer hands on.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <vector>

#include "geniepath/model.h"

namespace geniepath::nn {

// What a layer reads: the features X, dense or sparse, or the hidden units of the layer before.
struct LayerInput {
  const ModelInput& input;
  at::Tensor h;  // [N, K]; undefined: the features
  MaskKey key;   // for what the layer draws at random
  bool trains;   // otherwise nothing is drawn

  const GraphTensors& graph() const { return input.graph; }
  at::Tensor dense() const { return h.defined() ? h : input.dense; }  // undefined where X is sparse
  at::Tensor times(const at::Tensor& w, Precision precision) const;   // [N, columns of w]
};

struct LayerShape {
  int64_t t;                // which layer, from 0
  int64_t inputs, outputs;  // columns
  bool is_output;
};

class ConvolutionLayer : public torch::nn::Module {
 public:
  // Before sigma: [N, outputs].
  virtual at::Tensor forward(const LayerInput& x) const = 0;
  virtual at::Tensor activate(const at::Tensor& z) const;
  virtual bool replayable() const { return true; }  // as Model has it

 protected:
  explicit ConvolutionLayer(const ModelConfig& config);
  Precision precision_;
};

using LayerMaker = std::shared_ptr<ConvolutionLayer> (*)(const ModelConfig&, const LayerShape&);

template <class Layer>
std::shared_ptr<ConvolutionLayer> make_layer(const ModelConfig& config, const LayerShape& shape) {
  return std::make_shared<Layer>(config, shape);
}

class ConvolutionStack : public Model {
 public:
  ConvolutionStack(const ModelConfig& config, int64_t features, LayerMaker make);
  bool replayable() const override { return layers_.front()->replayable(); }

 private:
  at::Tensor represent(const ModelInput& input, Pass& pass) const override;
  void make_output(const ModelConfig& config, int64_t outputs) override;
  at::Tensor output(const ModelInput& input, const at::Tensor& h, Pass& pass) const override;

  LayerMaker make_;
  std::vector<std::shared_ptr<ConvolutionLayer>> layers_;  // hidden ones
  std::shared_ptr<ConvolutionLayer> output_layer_;         // null where the output is linear
  Residual residual_;
};

// d_i^power [N] like x, d_i the number of edges into i, counted without its self-loop where not `with_self`; 0 where d_i
// is 0. The edges are a model input's: every node has its self-loop.
at::Tensor degree_scale(const GraphTensors& graph, double power, bool with_self, const at::Tensor& x);

}  // namespace geniepath::nn
