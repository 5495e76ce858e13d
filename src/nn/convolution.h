// Stacks of graph convolutions, the paper's baselines:
//   h^(t+1) = sigma(layer_t(h^(t))), t = 0 .. T-1, h^(0) = X, sigma = ReLU unless the layer says otherwise
// The scores are W_y' h^(T) or, with output `layer`, layer_(T-1)(h^(T-1)) without sigma, as in the papers of GCN and
// GAT. Residual `hop` adds h^(t) outside sigma, `input` adds h^(1), the first of width K, inside; both from the second
// layer on, not in the output layer. Dropout applies to the output of every hidden layer.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <vector>

#include "geniepath/model.h"

namespace geniepath::nn {

// Input of a layer: the features X, dense or sparse, or the hidden units of the previous layer.
struct LayerInput {
  const ModelInput& input;
  at::Tensor h;  // [N, K]; undefined: the features
  MaskKey key;   // of the layer's random draws
  bool trains;   // false: nothing is drawn

  const GraphTensors& graph() const { return input.graph; }
  at::Tensor dense() const { return h.defined() ? h : input.dense; }  // undefined if sparse
  at::Tensor times(const at::Tensor& w, Precision precision) const;   // [N, columns of w]
};

struct LayerShape {
  int64_t t;                // number of the layer, from 0
  int64_t inputs, outputs;  // columns
  bool is_output;
};

class ConvolutionLayer : public torch::nn::Module {
 public:
  // Before sigma: [N, outputs].
  virtual at::Tensor forward(const LayerInput& x) const = 0;
  virtual at::Tensor activate(const at::Tensor& z) const;
  // The alpha of every edge, [E] by position in in_neighbour, each row with a sum of 1; undefined: no attention.
  virtual at::Tensor attention(const LayerInput&) const { return {}; }
  virtual bool replayable() const { return true; }  // as in Model
  virtual bool draws() const { return false; }      // as in Model
  virtual int64_t radius() const { return 1; }      // as in Model, but for degrees

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
  int64_t radius() const override;
  // ConvolutionLayer::attention() of layers 1 .. T in a prediction; empty if the layers do not attend.
  std::vector<at::Tensor> attention(const ModelInput& input) const;

 private:
  bool draws() const override { return layers_.front()->draws(); }
  // The last hidden layer's units. Calls see(layer, its input) for every hidden layer.
  template <class See>
  at::Tensor run_layers(const ModelInput& input, Pass& pass, See see) const;
  at::Tensor represent(const ModelInput& input, Pass& pass) const override;
  void make_output(const ModelConfig& config, int64_t outputs) override;
  at::Tensor output(const ModelInput& input, const at::Tensor& h, Pass& pass) const override;

  LayerMaker make_;
  std::vector<std::shared_ptr<ConvolutionLayer>> layers_;  // hidden layers
  std::shared_ptr<ConvolutionLayer> output_layer_;         // null for a linear output
  Residual residual_;
};

// d_i^power, [N], with the dtype of x; 0 where d_i is 0. d_i is the number of edges into i, its self-loop counted if
// `with_self`. The graph is that of a ModelInput, where every node has a self-loop.
at::Tensor degree_scale(const GraphTensors& graph, double power, bool with_self, const at::Tensor& x);

}  // namespace geniepath::nn
