#include "nn/node_embedding.h"

namespace geniepath::nn {

NodeEmbedding::NodeEmbedding(const ModelConfig& config, int64_t features) {
  ModelConfig without_bias = config;
  without_bias.bias = false;
  input_ = register_module("input", std::make_shared<InputLayer>(without_bias, features));
}

at::Tensor NodeEmbedding::represent(const ModelInput& input, Pass&) const { return input_->forward(input); }

}  // namespace geniepath::nn
