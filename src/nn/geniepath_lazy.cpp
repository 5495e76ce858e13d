#include "nn/geniepath_lazy.h"

namespace geniepath::nn {

GeniePathLazy::GeniePathLazy(const ModelConfig& config, int64_t features)
    : lazy_start_(static_cast<size_t>(config.lazy_start)) {
  input_ = register_module("input", std::make_shared<InputLayer>(config, features));
  for (int64_t t = 0; t < config.depth; ++t) {
    breadth_.push_back(register_module("breadth_" + std::to_string(t), make_breadth(config)));
  }
  for (int64_t t = config.lazy_start; t <= config.depth; ++t) {
    depth_.push_back(register_module("depth_" + std::to_string(t), make_depth(config, true)));
  }
}

at::Tensor GeniePathLazy::represent(const ModelInput& input) {
  const at::Tensor h_0 = drop(input_->forward(input));
  std::vector<at::Tensor> h{h_0};
  for (const auto& breadth : breadth_) h.push_back(drop(breadth->forward(input.graph, h.back(), h_0)));
  at::Tensor mu = h_0, memory;
  for (size_t t = lazy_start_; t < h.size(); ++t) mu = depth_[t - lazy_start_]->forward(h[t], mu, memory);
  return drop(mu);
}

}  // namespace geniepath::nn
