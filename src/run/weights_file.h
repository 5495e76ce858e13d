// Weights on disk, and what epoch they are of.
#pragma once

#include <filesystem>

#include "training/state.h"

namespace geniepath::run {

void save_weights(const std::filesystem::path& path, const training::Weights& weights, int64_t epoch);
// Weights that are NaN or infinite are an Error.
training::Weights load_weights(const std::filesystem::path& path);
// The epochs that a saved state has done.
int64_t load_epoch(const std::filesystem::path& path);

}  // namespace geniepath::run
