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

// The depth function follows the hops one by one, so that a forward pass alone holds one hop at a time.
at::Tensor GeniePathLazy::represent(const ModelInput& input, Pass& pass) const {
  const at::Tensor h_0 = pass.drop(input_->forward(input), dropout_);
  at::Tensor h = h_0, mu = h_0, memory;
  for (size_t t = 0; t <= breadth_.size(); ++t) {
    if (t > 0) h = pass.drop(breadth_[t - 1]->forward(input.graph, h, h_0), dropout_);
    if (t >= lazy_start_) mu = depth_[t - lazy_start_]->forward(h, mu, memory);
    pass.layer_done(static_cast<int64_t>(t), std::ssize(breadth_));
  }
  return pass.drop(mu, dropout_);
}

void GeniePathLazy::fit_start(const ModelInput& input, Group& group) {
  input_->fit_start(input, group);
  const at::Tensor h_0 = input_->forward(input);
  at::Tensor h = h_0, mu = h_0, memory;
  for (size_t t = 0; t <= breadth_.size(); ++t) {
    if (t > 0) {
      breadth_[t - 1]->fit_start(input.graph, h, h_0, group);
      h = breadth_[t - 1]->forward(input.graph, h, h_0);
    }
    if (t < lazy_start_) continue;
    depth_[t - lazy_start_]->fit_start(h, mu, memory, group);
    mu = depth_[t - lazy_start_]->forward(h, mu, memory);
  }
}

BreadthRows GeniePathLazy::breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                                   const at::Tensor& h_0) const {
  return breadth_[static_cast<size_t>(t - 1)]->forward_rows(rows, h, h_0);
}

at::Tensor GeniePathLazy::even_breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                                       const at::Tensor& h_0) const {
  return breadth_[static_cast<size_t>(t - 1)]->even_rows(rows, h, h_0);
}

at::Tensor GeniePathLazy::finish(const at::Tensor& h_0, const std::vector<at::Tensor>& h) const {
  at::Tensor mu = h_0, memory;
  for (size_t t = lazy_start_; t <= h.size(); ++t)
    mu = depth_[t - lazy_start_]->forward(t == 0 ? h_0 : h[t - 1], mu, memory);
  return mu;
}

DepthTrace GeniePathLazy::depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const {
  DepthTrace trace{{}, h_0};
  at::Tensor memory;
  for (size_t t = lazy_start_; t <= h_tmp.size(); ++t) {
    const at::Tensor& h = t == 0 ? h_0 : h_tmp[t - 1];
    const DepthFunction& depth = *depth_[t - lazy_start_];
    trace.steps.push_back({static_cast<int64_t>(t), depth.gates(h, trace.representation)});
    trace.representation = depth.forward(h, trace.representation, memory);
  }
  return trace;
}

}  // namespace geniepath::nn
