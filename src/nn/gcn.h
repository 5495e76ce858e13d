// Graph convolution (Kipf and Welling 2017; the paper, eq. "gcn" and "gcn-average"):
//   z = A~ H W        H: [N, P or K]   W: [P or K, K]
// where A^ = A + I has degrees D^: A~ = D^(-1/2) A^ D^(-1/2) in gcn, and D^(-1) A^ in gcn-mean, which is independent of
// the neighbours' degrees.
#pragma once

#include "nn/convolution.h"

namespace geniepath::nn {

class GcnLayer : public ConvolutionLayer {
 public:
  GcnLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;

 private:
  virtual at::Tensor aggregate(const GraphTensors& graph, const at::Tensor& h) const;  // A~ h
  at::Tensor w_, b_;
};

class GcnMeanLayer : public GcnLayer {
 public:
  using GcnLayer::GcnLayer;

 private:
  at::Tensor aggregate(const GraphTensors& graph, const at::Tensor& h) const override;
};

}  // namespace geniepath::nn
