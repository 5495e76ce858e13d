// One embedding row per node, learned beforehand (node2vec, DeepWalk), with a linear output layer with biases: logistic
// regression on the embedding. Features are one-hot node ids, so h = W_x' X looks up the rows.
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
