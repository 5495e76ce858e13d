#include "run/weights_file.h"

#include <nlohmann/json.hpp>

namespace geniepath::run {

void save_weights(const std::filesystem::path& path, const training::Weights& weights, int64_t epoch) {
  write_safetensors(path, {weights, {{"epoch", std::to_string(epoch)}}});
}

training::Weights load_weights(const std::filesystem::path& path) { return read_learned(path).tensors; }

training::Weights read_transforms(const std::filesystem::path& path, const std::string& checksum) {
  const bool exists = std::filesystem::exists(path);
  if (!exists && checksum.empty()) return {};
  if (!exists) fail(path.string(), ": missing, but the run prepares its features by it; restore it, or train again");
  if (!checksum.empty() && written_checksum(path) != checksum) {
    fail(path.string(), ": not the file that the run was trained with; restore it, or train again");
  }
  return read_learned(path).tensors;
}

int64_t load_epoch(const std::filesystem::path& path) {
  return training::epoch_of(read_safetensors(path), path.string());
}

bool are_of_weights(const nlohmann::ordered_json& figures, const std::filesystem::path& weights) {
  return !figures.is_object() || !figures.contains(kOfWeights) || !std::filesystem::exists(weights) ||
         figures[kOfWeights] == written_checksum(weights);
}

}  // namespace geniepath::run
