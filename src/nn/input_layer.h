// h^(0) = W_x' X, for dense or sparse X.
#pragma once

#include <torch/nn/module.h>

#include "distributed/group.h"
#include "geniepath/model.h"

namespace geniepath::nn {

class InputLayer : public torch::nn::Module {
 public:
  InputLayer(const ModelConfig& config, int64_t features);
  void fit_start(const ModelInput& input, distributed::Group& group);
  at::Tensor forward(const ModelInput& input) const;  // [N, K]

 private:
  at::Tensor w_x_, b_x_;
  Precision precision_;
};

}  // namespace geniepath::nn
