// The weights of a model, and the state a training goes on from.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>

#include "io/safetensors.h"
#include "training/adam.h"

namespace geniepath::training {

using Weights = std::map<std::string, at::Tensor>;

Weights copy_weights(const torch::nn::Module& model);
// Every parameter of the model by name and shape, no more and no fewer; an Error names `where` and the first that is not.
void set_weights(torch::nn::Module& model, const Weights& weights, const std::string& where);

// How far a training has come, and the best weights on the way.
struct Progress {
  int64_t epoch = 0, best_epoch = 0;
  double best_value = -1;
  Weights best{};
};

// All of it in one: what it says and what it holds cannot come apart.
TensorFile state_of(const torch::nn::Module& model, const Adam& adam, const Progress& progress);
Progress restore_state(const TensorFile& state, torch::nn::Module& model, Adam& adam, const std::string& where);

// The counter alone, for states that hold other tensors.
std::map<std::string, std::string> epoch_metadata(int64_t epoch);
int64_t epoch_of(const TensorFile& state, const std::string& where);

}  // namespace geniepath::training
