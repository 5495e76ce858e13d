#include "nn/start.h"

#include <ATen/ATen.h>

#include <cmath>

#include "nn/parameters.h"
#include "ops/add_bias.h"

namespace geniepath::nn::start {
namespace {

constexpr double kTiny = 1e-12;
constexpr double kConstant = 1e-4;  // values that deviate less, relative to their root mean square, count as constant
constexpr double kMostGrowth = 100;  // of v, so that scores that hardly differ stay so

// Mean of the rows, [K].
at::Tensor mean_of(const at::Tensor& x, Group& group) {
  at::Tensor sum = ops::sum_of_rows(x);
  group.sum(sum);
  return sum / std::max(1.0, group.sum(static_cast<double>(x.size(0))));
}

double logit(double p) { return std::log(p / (1 - p)); }

double sum_of(const at::Tensor& x) { return x.to(at::kCPU, at::kDouble).sum().item<double>(); }

}  // namespace

Openings openings(int64_t hops, bool first) {
  constexpr double kOpen = 2;  // 0.88 after the sigmoid
  const auto t = static_cast<double>(hops);
  return {first ? kOpen : logit(1 / std::sqrt(t + 0.2)), logit(std::pow(0.5, 1 / t)), kOpen};
}

double root_mean_square(const at::Tensor& x, Group& group) {
  const double count = group.sum(static_cast<double>(x.numel()));
  return count == 0 ? 0 : std::sqrt(group.sum(sum_of(ops::sum_of_rows(x.square()))) / count);
}

void scale(at::Tensor& w, const at::Tensor& product, double to, Group& group) {
  const double now = root_mean_square(product, group);
  if (now > kTiny) w.mul_(to / now);
}

// With m the mean of x and u = m / (m . m): w - u (m w) has a product of mean 0; u adds an offset of 1 where x is m.
void centre_and_scale(at::Tensor& w, const at::Tensor& x, double mean, double deviation, Group& group) {
  const at::Tensor m = mean_of(x, group);
  const double square = sum_of(m.square());
  if (square <= kTiny) return scale(w, ops::linear(x, w), deviation, group);
  const at::Tensor u = (m / square).unsqueeze(1), of_mean = ops::linear(m.unsqueeze(0), w);
  const at::Tensor whole = ops::linear(x, w), centred = w - u.mm(of_mean), product = ops::linear(x, centred);
  if (root_mean_square(product, group) <= kConstant * root_mean_square(whole, group))
    return scale(w, whole, deviation, group);
  w.copy_(centred);
  scale(w, product, deviation, group);
  w.add_(u.mm(of_mean.sign() * mean));
}

void offset(at::Tensor& w, const at::Tensor& x, double mean, Group& group) {
  const at::Tensor m = mean_of(x, group);
  const double square = sum_of(m.square());
  if (square <= kTiny) return;
  const at::Tensor u = (m / square).unsqueeze(1), of_mean = ops::linear(m.unsqueeze(0), w);
  w.add_(u.mm(mean - of_mean));
}

void scale_scores(at::Tensor& v, double deviation) {
  if (deviation > kConstant) v.mul_(std::min(kScore / deviation, kMostGrowth));
}

double score_deviation(const GraphTensors& graph, const at::Tensor& alpha, Group& group) {
  const at::Tensor offsets = graph.in_offset.to(at::kCPU, at::kLong).contiguous();
  const at::Tensor weights = alpha.to(at::kCPU, at::kDouble).contiguous();
  const auto* row = offsets.data_ptr<int64_t>();
  const auto* a = weights.data_ptr<double>();
  double sum = 0;
  int64_t edges = 0;
  for (int64_t i = 0; i + 1 < offsets.numel(); ++i) {
    const int64_t degree = row[i + 1] - row[i];
    if (degree < 2) continue;
    double mean = 0, square = 0;
    for (int64_t e = row[i]; e < row[i + 1]; ++e) {
      const double score = std::log(std::max(a[e], 1e-30));
      mean += score, square += score * score;
    }
    sum += std::max(0.0, square - mean * mean / static_cast<double>(degree));
    edges += degree;
  }
  const double all = group.sum(static_cast<double>(edges));
  return all == 0 ? 0 : std::sqrt(group.sum(sum) / all);
}

}  // namespace geniepath::nn::start

namespace geniepath::nn {

void start_weights(Model& model, uint64_t seed, const ModelInput& input, const at::Tensor& scores, Group& group) {
  auto* fitted = dynamic_cast<FittedStart*>(&model);
  if (fitted == nullptr) return;
  const at::NoGradGuard no_grad;
  draw_parameters(model, seed);
  fitted->fit_start(input, group);
  const auto parameters = model.named_parameters();
  if (const at::Tensor* b_y = parameters.find("b_y"); b_y != nullptr && scores.defined()) b_y->copy_(scores);
}

}  // namespace geniepath::nn
