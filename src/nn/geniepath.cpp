#include "nn/geniepath.h"

namespace geniepath::nn {

GeniePath::GeniePath(const ModelConfig& config, int64_t features) {
  input_ = register_module("input", std::make_shared<InputLayer>(config, features));
  for (int64_t t = 0; t < config.depth; ++t) {
    breadth_.push_back(register_module("breadth_" + std::to_string(t), make_breadth(config)));
    depth_.push_back(register_module("depth_" + std::to_string(t), make_depth(config, false)));
  }
}

at::Tensor GeniePath::represent(const ModelInput& input) {
  const at::Tensor h_0 = drop(input_->forward(input));
  at::Tensor h = h_0, memory;
  for (size_t t = 0; t < breadth_.size(); ++t) {
    const at::Tensor h_tmp = breadth_[t]->forward(input.graph, h, h_0);
    h = drop(depth_[t]->forward(h_tmp, {}, memory));
  }
  return h;
}

}  // namespace geniepath::nn
