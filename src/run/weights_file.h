// Weights on disk, with their epoch.
#pragma once

#include <filesystem>

#include "training/state.h"

namespace geniepath::run {

void save_weights(const std::filesystem::path& path, const training::Weights& weights, int64_t epoch);
// NaN or infinite weights are an Error.
training::Weights load_weights(const std::filesystem::path& path);
// Number of epochs done in a saved state.
int64_t load_epoch(const std::filesystem::path& path);

}  // namespace geniepath::run
