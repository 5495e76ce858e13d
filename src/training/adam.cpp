#include "training/adam.h"

#include <ATen/ATen.h>

#include <algorithm>
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

// Whether weight decay shrinks a parameter (adam.h).
bool is_decayed(const std::string& name, const at::Tensor& parameter, bool decay_attention) {
  const std::string leaf = name.substr(name.rfind('.') + 1);
  if (leaf == "v" || leaf == "w_s" || leaf == "w_d") return decay_attention;
  return parameter.dim() > 1;
}

}  // namespace

Adam::Options adam_options(const TrainConfig& config, int64_t steps_per_epoch) {
  return {.l2 = config.l2,
          .weight_decay = config.weight_decay / static_cast<double>(steps_per_epoch),
          .decay_attention = config.decay_attention,
          .clip = config.clip,
          .average = config.average};
}

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
  if (options.weight_decay > 0) decay_ = at::zeros({count}, where);
  norm_ = at::zeros({1}, where);
  norm_scratch_ = at::zeros({kernels::cuda::kNormBlocks}, where.dtype(at::kDouble));
  for (size_t p = 0; p < parameters_.size(); ++p) {
    at::Tensor parameter = parameters_[p].second;
    const at::Tensor place = part(weight_, p);
    place.copy_(parameter);
    parameter.set_data(place);
    parameter.mutable_grad() = part(grad_, p);
    if (decay_.defined() && is_decayed(parameters_[p].first, parameter, options.decay_attention)) {
      part(decay_, p).fill_(options.weight_decay);
    }
  }
  if (options.average > 0) average_ = weight_.clone();
}

at::Tensor Adam::part(const at::Tensor& flat, size_t p) const {
  const at::Tensor& parameter = parameters_[p].second;
  return flat.narrow(0, first_[p], parameter.numel()).view(parameter.sizes());
}

void Adam::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const Step step{.learning_rate = learning_rate,
                  .size = learning_rate / (1 - std::pow(options_.beta1, t)),
                  .v_correction = std::sqrt(1 - std::pow(options_.beta2, t)),
                  .keep = std::min(options_.average, (t - 1) / (t + 8))};
  ops::dispatch(
      grad_, [&] { step_on_cpu(step); }, [&] { step_on_gpu(step); });
}

void Adam::step_on_cpu(const Step& step) {
  const double norm = std::sqrt(squared_norm(grad_));
  norm_.fill_(norm);
  if (options_.clip > 0 && norm > options_.clip) grad_.mul_(options_.clip / norm);
  if (options_.l2 > 0) grad_.add_(weight_, options_.l2);
  m_.mul_(options_.beta1).add_(grad_, 1 - options_.beta1);
  v_.mul_(options_.beta2).addcmul_(grad_, grad_, 1 - options_.beta2);
  if (decay_.defined()) weight_.addcmul_(weight_, decay_, -step.learning_rate);
  weight_.addcdiv_(m_, v_.sqrt().div_(step.v_correction).add_(options_.epsilon), -step.size);
  if (average_.defined()) average_.mul_(step.keep).add_(weight_, 1 - step.keep);
  grad_.zero_();
}

void Adam::step_on_gpu(const Step& step) {
  const auto data = [](const at::Tensor& x) { return x.defined() ? x.data_ptr<float>() : nullptr; };
  const auto f32 = [](double x) { return static_cast<float>(x); };
  const int64_t count = weight_.numel();
  auto *grad = grad_.data_ptr<float>(), *norm = norm_.data_ptr<float>();
  cuda::run(cuda::GradientNorm{count, grad, norm_scratch_.data_ptr<double>(), norm, ops::current_stream()});
  cuda::run(cuda::AdamStep{count, data(weight_), grad, data(m_), data(v_), norm, data(decay_), data(average_),
                           f32(options_.clip), f32(options_.l2), f32(options_.beta1), f32(options_.beta2),
                           f32(options_.epsilon), f32(step.learning_rate), f32(step.size), f32(step.v_correction),
                           f32(step.keep), ops::current_stream()});
}

double Adam::gradient_norm() const { return norm_.item<double>(); }

void Adam::swap_average() {
  if (!average_.defined()) return;
  const at::NoGradGuard no_grad;
  const at::Tensor weight = weight_.clone();
  weight_.copy_(average_), average_.copy_(weight);
}

std::vector<std::pair<std::string, at::Tensor>> Adam::arrays() const {
  std::vector<std::pair<std::string, at::Tensor>> arrays{{"adam.m.", m_}, {"adam.v.", v_}};
  if (average_.defined()) arrays.emplace_back("adam.average.", average_);
  return arrays;
}

std::map<std::string, at::Tensor> Adam::state() const {
  std::map<std::string, at::Tensor> state;
  for (const auto& [prefix, array] : arrays()) {
    for (size_t p = 0; p < parameters_.size(); ++p) state[prefix + parameters_[p].first] = part(array, p).cpu();
  }
  return state;
}

Adam::Snapshot Adam::snapshot() const {
  return {weight_.clone(), m_.clone(), v_.clone(), average_.defined() ? average_.clone() : average_, steps_};
}

void Adam::restore(const Snapshot& snapshot) {
  const at::NoGradGuard no_grad;
  weight_.copy_(snapshot.weight), m_.copy_(snapshot.m), v_.copy_(snapshot.v);
  if (average_.defined()) average_.copy_(snapshot.average);
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
  for (const auto& [prefix, array] : arrays()) {
    for (size_t p = 0; p < parameters_.size(); ++p) restore_part(prefix + parameters_[p].first, part(array, p));
  }
  steps_ = steps;
}

}  // namespace geniepath::training
