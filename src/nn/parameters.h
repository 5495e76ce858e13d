// Parameters of models: listed by name, and drawn by Xavier's rule from the seed and their names.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/module.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace geniepath::nn {

// By name, in the model's order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;
NamedTensors parameters_of(const torch::nn::Module& model);

// Fills every parameter: matrices and vectors from U(-b, b) with b = sqrt(6 / (fan_in + fan_out)), biases (named b or
// b_*) with 0. Value n of a parameter depends only on the seed, the full name and n.
void draw_parameters(torch::nn::Module& model, uint64_t seed);

// Parameters without values, which draw_parameters() gives them.
inline at::Tensor matrix(int64_t rows, int64_t columns) { return at::empty({rows, columns}, at::kFloat); }
inline at::Tensor vector(int64_t size) { return at::empty({size}, at::kFloat); }

}  // namespace geniepath::nn
