// The learned parts of a run, on disk: weights with their epoch, and the preparation of features.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

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

// Figures about a run name the weights that they are about, by the checksum of their file.
constexpr const char* kOfWeights = "weights";
// Whether these figures are about the weights now in the file; also if either is missing, as in runs of older versions.
bool are_of_weights(const nlohmann::ordered_json& figures, const std::filesystem::path& weights);

}  // namespace geniepath::run
