#include "run/weights_file.h"

namespace geniepath::run {

void save_weights(const std::filesystem::path& path, const training::Weights& weights, int64_t epoch) {
  write_safetensors(path, {weights, {{"epoch", std::to_string(epoch)}}});
}

training::Weights load_weights(const std::filesystem::path& path) { return read_learned(path).tensors; }

int64_t load_epoch(const std::filesystem::path& path) {
  return training::epoch_of(read_safetensors(path), path.string());
}

}  // namespace geniepath::run
