#include "nn/parameters.h"

#include "base/random.h"
#include "geniepath/error.h"

namespace geniepath::nn {
namespace {

bool is_bias(const std::string& name) {
  const std::string last = name.substr(name.rfind('.') + 1);
  return last == "b" || last.rfind("b_", 0) == 0;
}

}  // namespace

NamedTensors parameters_of(const torch::nn::Module& model) {
  NamedTensors parameters;
  for (const auto& item : model.named_parameters()) parameters.emplace_back(item.key(), item.value());
  return parameters;
}

void draw_parameters(torch::nn::Module& model, uint64_t seed) {
  const at::NoGradGuard no_grad;
  for (const auto& [name, parameter] : parameters_of(model)) {
    if (is_bias(name)) {
      parameter.zero_();
      continue;
    }
    if (parameter.scalar_type() != at::kFloat || parameter.dim() < 1) {
      fail("model: parameter ", name, " is not an f32 matrix or vector");
    }
    const int64_t fan_in = parameter.size(0), fan_out = parameter.dim() > 1 ? parameter.size(1) : 1;
    const double bound = std::sqrt(6.0 / static_cast<double>(fan_in + fan_out));
    const RandomStream stream{seed, name_hash(name)};
    const at::Tensor drawn = at::empty(parameter.sizes(), at::kFloat);
    auto* values = drawn.data_ptr<float>();
    for (int64_t n = 0; n < parameter.numel(); ++n) {
      values[n] = static_cast<float>((2 * stream.uniform(static_cast<uint64_t>(n)) - 1) * bound);
    }
    parameter.copy_(drawn);
  }
}

}  // namespace geniepath::nn
