#include "train/adam.h"

#include <ATen/ATen.h>

#include <cmath>

#include "geniepath/error.h"

namespace geniepath::training {

Adam::Adam(std::vector<std::pair<std::string, at::Tensor>> parameters, const Options& options)
    : parameters_(std::move(parameters)), options_(options) {
  for (const auto& [_, parameter] : parameters_) {
    m_.push_back(at::zeros_like(parameter));
    v_.push_back(at::zeros_like(parameter));
  }
}

double Adam::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  double squared_norm = 0;
  for (const auto& [_, parameter] : parameters_) {
    if (!parameter.grad().defined()) continue;
    squared_norm += parameter.grad().square().sum(at::kDouble).item<double>();
  }
  const double norm = std::sqrt(squared_norm);
  const double shrink = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1.0;
  const auto t = static_cast<double>(steps_);
  const double step_size = learning_rate / (1 - std::pow(options_.beta1, t));
  const double v_correction = std::sqrt(1 - std::pow(options_.beta2, t));
  for (size_t p = 0; p < parameters_.size(); ++p) {
    at::Tensor parameter = parameters_[p].second;
    if (!parameter.grad().defined()) continue;
    at::Tensor grad = shrink == 1.0 ? parameter.grad() : parameter.grad() * shrink;
    if (options_.l2 > 0) grad = grad.add(parameter, options_.l2);
    m_[p].mul_(options_.beta1).add_(grad, 1 - options_.beta1);
    v_[p].mul_(options_.beta2).addcmul_(grad, grad, 1 - options_.beta2);
    parameter.addcdiv_(m_[p], v_[p].sqrt().div_(v_correction).add_(options_.epsilon), -step_size);
    parameter.mutable_grad() = at::Tensor();
  }
  return norm;
}

std::map<std::string, at::Tensor> Adam::state() const {
  std::map<std::string, at::Tensor> state;
  for (size_t p = 0; p < parameters_.size(); ++p) {
    state["adam.m." + parameters_[p].first] = m_[p];
    state["adam.v." + parameters_[p].first] = v_[p];
  }
  return state;
}

void Adam::restore(const std::map<std::string, at::Tensor>& state, int64_t steps) {
  const auto find = [&](const std::string& name, const at::Tensor& like) {
    const auto found = state.find(name);
    if (found == state.end()) fail("checkpoint: no tensor '", name, "'");
    if (found->second.sizes() != like.sizes()) {
      fail("checkpoint: '", name, "' has shape ", c10::str(found->second.sizes()), ", expected ", c10::str(like.sizes()));
    }
    return found->second.clone();
  };
  for (size_t p = 0; p < parameters_.size(); ++p) {
    m_[p] = find("adam.m." + parameters_[p].first, m_[p]);
    v_[p] = find("adam.v." + parameters_[p].first, v_[p]);
  }
  steps_ = steps;
}

}  // namespace geniepath::training
