// GraphSAGE (Hamilton et al. 2017; the paper, section "Graph Convolutional Networks"):
//   z = CONCAT(phi(A, H), H) W = phi(A, H) W_n + H W_s
// where phi reads N(i) without i: all of it, or in training at most `sampled-neighbours`, drawn anew at every step:
//   graphsage-mean   phi = D^(-1) A H
//   graphsage-max    phi_i = max_j ReLU(W_p' h_j + b_p), elementwise
// A node without neighbours has phi = 0. With `unit-length` every hidden layer ends in h_i / |h_i|, as in GraphSAGE's
// algorithm.
#pragma once

#include "nn/convolution.h"

namespace geniepath::nn {

class SageLayer : public ConvolutionLayer {
 public:
  at::Tensor activate(const at::Tensor& z) const override;
  bool replayable() const override { return sampled_ == 0; }  // the sample is drawn on the host
  bool draws() const override { return sampled_ > 0; }

 protected:
  SageLayer(const ModelConfig& config, const LayerShape& shape, int64_t phi_columns);
  GraphTensors sample(const LayerInput& x) const;
  at::Tensor combine(const at::Tensor& neighbours, const LayerInput& x) const;  // neighbours + H W_s + b
  at::Tensor w_n_, w_s_, b_;

 private:
  int64_t sampled_;
  bool unit_length_;
};

class SageMeanLayer : public SageLayer {
 public:
  SageMeanLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;
};

class SageMaxLayer : public SageLayer {
 public:
  SageMaxLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;

 private:
  at::Tensor w_p_, b_p_;
};

}  // namespace geniepath::nn
