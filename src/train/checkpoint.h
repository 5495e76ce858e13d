// Weights on disk, and the state a run resumes from.
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <map>
#include <string>

#include "train/adam.h"

namespace geniepath::training {

using Weights = std::map<std::string, at::Tensor>;

Weights copy_weights(const torch::nn::Module& model);
// Every parameter of the model by name and shape, no more and no fewer; an Error names `where` and the first that is not.
void set_weights(torch::nn::Module& model, const Weights& weights, const std::string& where);

void save_weights(const std::filesystem::path& path, const Weights& weights, int64_t epoch);
// Weights that are NaN or infinite are an Error.
Weights load_weights(const std::filesystem::path& path);
// An Error where they are of another epoch.
Weights load_weights(const std::filesystem::path& path, int64_t epoch);

// How far a run has come, and the best weights on the way.
struct Progress {
  int64_t epoch = 0, best_epoch = 0;
  double best_value = -1;
  Weights best{};
};

// All of it in one file: what it says and what it holds cannot come apart.
void save_state(const std::filesystem::path& path, const torch::nn::Module& model, const Adam& adam,
                const Progress& progress);
// The epochs alone that a saved state has done.
int64_t load_epoch(const std::filesystem::path& path);
// The same counters for states that hold other tensors.
std::map<std::string, std::string> epoch_metadata(int64_t epoch);
Progress load_state(const std::filesystem::path& path, torch::nn::Module& model, Adam& adam);

}  // namespace geniepath::training
