// One row of numbers per node, learned beforehand (node2vec, DeepWalk), under a linear output layer with biases: logistic
// regression on the embedding. Nodes are named by one-hot features, so h = W_x' X looks their rows up.
#pragma once

#include "nn/input_layer.h"

namespace geniepath::nn {

class NodeEmbedding : public Model {
 public:
  NodeEmbedding(const ModelConfig& config, int64_t features);

 private:
  at::Tensor represent(const ModelInput& input, Pass& pass) const override;
  std::shared_ptr<InputLayer> input_;
};

}  // namespace geniepath::nn
