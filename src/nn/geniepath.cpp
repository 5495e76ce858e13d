#include "nn/geniepath.h"

namespace geniepath::nn {

GeniePath::GeniePath(const ModelConfig& config, int64_t features) {
  input_ = register_module("input", std::make_shared<InputLayer>(config, features));
  for (int64_t t = 0; t < config.depth; ++t) {
    breadth_.push_back(register_module("breadth_" + std::to_string(t), make_breadth(config)));
    depth_.push_back(register_module("depth_" + std::to_string(t), make_depth(config, false)));
  }
}

at::Tensor GeniePath::represent(const ModelInput& input, Pass& pass) const {
  const at::Tensor h_0 = pass.drop(input_->forward(input), dropout_);
  at::Tensor h = h_0, memory;
  for (size_t t = 0; t < breadth_.size(); ++t) {
    const at::Tensor h_tmp = breadth_[t]->forward(input.graph, h, h_0);
    h = pass.drop(depth_[t]->forward(h_tmp, {}, memory), dropout_);
    pass.layer_done(static_cast<int64_t>(t) + 1, std::ssize(breadth_));
  }
  return h;
}

void GeniePath::fit_start(const ModelInput& input, Group& group) {
  input_->fit_start(input, group);
  const at::Tensor h_0 = input_->forward(input);
  at::Tensor h = h_0, memory;
  for (size_t t = 0; t < breadth_.size(); ++t) {
    breadth_[t]->fit_start(input.graph, h, h_0, group);
    const at::Tensor h_tmp = breadth_[t]->forward(input.graph, h, h_0);
    depth_[t]->fit_start(h_tmp, {}, memory, group);
    h = depth_[t]->forward(h_tmp, {}, memory);
  }
}

BreadthRows GeniePath::breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const {
  return breadth_[static_cast<size_t>(t - 1)]->forward_rows(rows, h, h_0);
}

at::Tensor GeniePath::even_breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                                   const at::Tensor& h_0) const {
  return breadth_[static_cast<size_t>(t - 1)]->even_rows(rows, h, h_0);
}

at::Tensor GeniePath::advance(int64_t t, const at::Tensor& h_tmp, at::Tensor& memory) const {
  return depth_[static_cast<size_t>(t - 1)]->forward(h_tmp, {}, memory);
}

DepthTrace GeniePath::depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const {
  DepthTrace trace{{}, h_0};
  at::Tensor memory;
  for (size_t t = 0; t < depth_.size(); ++t) {
    trace.steps.push_back({static_cast<int64_t>(t + 1), depth_[t]->gates(h_tmp[t], {})});
    trace.representation = depth_[t]->forward(h_tmp[t], {}, memory);
  }
  return trace;
}

}  // namespace geniepath::nn
