// Chebyshev filters of the graph Laplacian (Defferrard et al. 2016):
//   z = sum_k T_k(L~) H W_k, k = 0 .. order      T_0 = I, T_1 = L~, T_k = 2 L~ T_(k-1) - T_(k-2)
// L~ = 2 L / lambda_max - I with L = I - D^(-1/2) A D^(-1/2), and lambda_max replaced by its bound 2, so that
// L~ = -D^(-1/2) A D^(-1/2); A has no self-loops. A layer reaches `order` hops.
#pragma once

#include "nn/convolution.h"

namespace geniepath::nn {

class ChebyshevLayer : public ConvolutionLayer {
 public:
  ChebyshevLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;
  int64_t radius() const override { return static_cast<int64_t>(w_.size()) - 1; }

 private:
  std::vector<at::Tensor> w_;  // W_0 .. W_order
  at::Tensor b_;
};

}  // namespace geniepath::nn
