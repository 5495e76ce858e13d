// Weights of a model, and the state from which training resumes.
#pragma once

#include <torch/nn/module.h>

#include <map>
#include <string>

#include "io/safetensors.h"
#include "training/adam.h"
#include "training/loss_watch.h"

namespace geniepath::training {

using Weights = std::map<std::string, at::Tensor>;

Weights copy_weights(const torch::nn::Module& model);
// `weights` must have the model's parameters, by name and shape, and no others. The Error names `where` and the first
// mismatch.
void set_weights(torch::nn::Module& model, const Weights& weights, const std::string& where);

// Progress of a training: epochs done, the best weights so far, and the course of the loss.
struct Progress {
  int64_t epoch = 0, best_epoch = 0;
  double best_value = -1;
  Weights best{};
  LossWatch loss{};
};

// State and counters in one file, so that they are consistent by construction.
TensorFile state_of(const torch::nn::Module& model, const Adam& adam, const Progress& progress);
Progress restore_state(const TensorFile& state, torch::nn::Module& model, Adam& adam, const std::string& where);

// The epoch counter alone, for states with other tensors.
std::map<std::string, std::string> epoch_metadata(int64_t epoch);
int64_t epoch_of(const TensorFile& state, const std::string& where);

}  // namespace geniepath::training
