// The learned parts of a run, on disk: weights with their epoch, and the preparation of features.
#pragma once

#include <filesystem>

#include "training/state.h"

namespace geniepath::run {

void save_weights(const std::filesystem::path& path, const training::Weights& weights, int64_t epoch);
// NaN or infinite weights are an Error.
training::Weights load_weights(const std::filesystem::path& path);
// The tensors of transforms.safetensors. `checksum`: that with which the run recorded the file, empty for none; another
// file, or none, is an Error.
training::Weights read_transforms(const std::filesystem::path& path, const std::string& checksum);
// Number of epochs done in a saved state.
int64_t load_epoch(const std::filesystem::path& path);

}  // namespace geniepath::run
