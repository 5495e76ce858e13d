// Multilayer perceptron on each node's own features: T hidden layers of K rectified units, with biases.
#pragma once

#include <vector>

#include "nn/input_layer.h"

namespace geniepath::nn {

class Mlp : public Model {
 public:
  Mlp(const ModelConfig& config, int64_t features);
  int64_t radius() const override { return 0; }

 private:
  bool draws() const override { return false; }
  at::Tensor represent(const ModelInput& input, Pass& pass) const override;
  std::shared_ptr<InputLayer> input_;
  std::vector<at::Tensor> w_, b_;  // hidden layers 2 .. T
};

}  // namespace geniepath::nn
