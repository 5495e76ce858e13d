// Graph attention (Velickovic et al. 2018), with H heads that divide the layer's width:
//   g = H W    alpha_ij = softmax_j LeakyReLU(a_dst . g_i + a_src . g_j), j in N(i) + {i}    z_i = sum_j alpha_ij g_j
// with W and a per head. Hidden layers concatenate the heads and end in ELU; an output layer averages full-width heads.
#pragma once

#include "nn/convolution.h"

namespace geniepath::nn {

class GatLayer : public ConvolutionLayer {
 public:
  GatLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;
  at::Tensor activate(const at::Tensor& z) const override;
  at::Tensor attention(const LayerInput& x) const override;  // mean over the heads
  bool draws() const override { return attention_dropout_ > 0 || value_dropout_ > 0; }

 private:
  // a . g of every node and head, as one product with X or H: [N, 2 H], destinations first.
  at::Tensor scores(const LayerInput& x) const;

  int64_t heads_, width_;  // width of one head
  bool averages_;
  double attention_dropout_, value_dropout_;
  at::Tensor w_, a_dst_, a_src_, b_;  // w: [inputs, H width]   a: [H, width]
};

// Number of heads of layer t, from 0: "8" is for every layer, "4,4,6" for three. An Error says what is wrong.
int64_t heads_of_layer(const ModelConfig& config, int64_t t);

}  // namespace geniepath::nn
