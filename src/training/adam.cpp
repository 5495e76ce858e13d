#include "training/adam.h"

#include <ATen/ATen.h>

#include <cmath>

#include "geniepath/error.h"
#include "kernels/cuda/adam.h"
#include "ops/backend.h"
#include "ops/device.h"

namespace geniepath::training {
namespace cuda = kernels::cuda;
namespace {

// Summed by one thread, in a fixed order.
double squared_norm(const at::Tensor& x) {
  const auto* value = x.data_ptr<float>();
  double sum = 0;
  for (int64_t n = 0; n < x.numel(); ++n) sum += static_cast<double>(value[n]) * static_cast<double>(value[n]);
  return sum;
}

}  // namespace

Adam::Adam(nn::NamedTensors parameters, const Options& options)
    : parameters_(std::move(parameters)), options_(options) {
  const at::NoGradGuard no_grad;
  int64_t count = 0;
  for (const auto& [_, parameter] : parameters_) {
    first_.push_back(count);
    count += (parameter.numel() + 3) / 4 * 4;  // keeps every parameter aligned for vector loads
  }
  const auto where = at::TensorOptions(at::kFloat).device(parameters_.at(0).second.device());
  weight_ = at::zeros({count}, where), grad_ = at::zeros({count}, where);
  m_ = at::zeros({count}, where), v_ = at::zeros({count}, where);
  norm_ = at::zeros({1}, where);
  norm_scratch_ = at::zeros({kernels::cuda::kNormBlocks}, where.dtype(at::kDouble));
  for (size_t p = 0; p < parameters_.size(); ++p) {
    at::Tensor parameter = parameters_[p].second;
    const at::Tensor place = part(weight_, p);
    place.copy_(parameter);
    parameter.set_data(place);
    parameter.mutable_grad() = part(grad_, p);
  }
}

at::Tensor Adam::part(const at::Tensor& flat, size_t p) const {
  const at::Tensor& parameter = parameters_[p].second;
  return flat.narrow(0, first_[p], parameter.numel()).view(parameter.sizes());
}

void Adam::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const double step_size = learning_rate / (1 - std::pow(options_.beta1, t));
  const double v_correction = std::sqrt(1 - std::pow(options_.beta2, t));
  ops::dispatch(
      grad_, [&] { step_on_cpu(step_size, v_correction); }, [&] { step_on_gpu(step_size, v_correction); });
}

void Adam::step_on_cpu(double step_size, double v_correction) {
  const double norm = std::sqrt(squared_norm(grad_));
  norm_.fill_(norm);
  if (options_.clip > 0 && norm > options_.clip) grad_.mul_(options_.clip / norm);
  if (options_.l2 > 0) grad_.add_(weight_, options_.l2);
  m_.mul_(options_.beta1).add_(grad_, 1 - options_.beta1);
  v_.mul_(options_.beta2).addcmul_(grad_, grad_, 1 - options_.beta2);
  weight_.addcdiv_(m_, v_.sqrt().div_(v_correction).add_(options_.epsilon), -step_size);
  grad_.zero_();
}

void Adam::step_on_gpu(double step_size, double v_correction) {
  const auto f32 = [](double x) { return static_cast<float>(x); };
  const int64_t count = weight_.numel();
  auto *grad = grad_.data_ptr<float>(), *norm = norm_.data_ptr<float>();
  cuda::run(cuda::GradientNorm{count, grad, norm_scratch_.data_ptr<double>(), norm, ops::current_stream()});
  cuda::run(cuda::AdamStep{count, weight_.data_ptr<float>(), grad, m_.data_ptr<float>(), v_.data_ptr<float>(), norm,
                           f32(options_.clip), f32(options_.l2), f32(options_.beta1), f32(options_.beta2),
                           f32(options_.epsilon), f32(step_size), f32(v_correction), ops::current_stream()});
}

double Adam::gradient_norm() const { return norm_.item<double>(); }

std::map<std::string, at::Tensor> Adam::state() const {
  std::map<std::string, at::Tensor> state;
  for (size_t p = 0; p < parameters_.size(); ++p) {
    state["adam.m." + parameters_[p].first] = part(m_, p).cpu();
    state["adam.v." + parameters_[p].first] = part(v_, p).cpu();
  }
  return state;
}

void Adam::restore(const Snapshot& snapshot) {
  const at::NoGradGuard no_grad;
  weight_.copy_(snapshot.weight), m_.copy_(snapshot.m), v_.copy_(snapshot.v);
  steps_ = snapshot.steps;
}

void Adam::restore(const std::map<std::string, at::Tensor>& state, int64_t steps) {
  const at::NoGradGuard no_grad;
  const auto restore_part = [&](const std::string& name, const at::Tensor& to) {
    const auto found = state.find(name);
    if (found == state.end()) fail("checkpoint: no tensor '", name, "'");
    if (found->second.sizes() != to.sizes()) {
      fail("checkpoint: '", name, "' has shape ", c10::str(found->second.sizes()), ", expected ", c10::str(to.sizes()));
    }
    to.copy_(found->second);
  };
  for (size_t p = 0; p < parameters_.size(); ++p) {
    restore_part("adam.m." + parameters_[p].first, part(m_, p));
    restore_part("adam.v." + parameters_[p].first, part(v_, p));
  }
  steps_ = steps;
}

}  // namespace geniepath::training
