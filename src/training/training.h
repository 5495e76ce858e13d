// A training in progress: runs epochs one at a time, and saves and restores its state.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "geniepath/train.h"
#include "io/safetensors.h"
#include "training/share.h"
#include "training/state.h"

namespace geniepath::training {

class Training {
 public:
  virtual ~Training() = default;

  const std::shared_ptr<Model>& model() const { return model_; }
  // Epochs done, and the best weights so far.
  const Progress& progress() const { return progress_; }

  virtual bool finished() const = 0;
  // Trains for one epoch and counts it. Returns nothing if the hooks stopped it within the epoch; its state is then
  // unchanged. A loss that is not a number is an Error.
  virtual std::optional<EpochRecord> run_epoch(const TrainHooks& hooks) = 0;
  // Sets the model to its best weights, also in progress(), and scores them; test nodes are not scored if interrupted.
  virtual TrainResult finish(bool interrupted, const LayerProgress& progress) = 0;

  // Everything another Training needs to continue bit for bit.
  virtual TensorFile state() const = 0;
  virtual void restore(const TensorFile& state, const std::string& where) = 0;

 protected:
  explicit Training(std::shared_ptr<Model> model) : model_(std::move(model)) {}

  std::shared_ptr<Model> model_;
  Progress progress_;
};

// Training by labels or by walks, as in the recipe. `outputs`: output columns of the model. `share` must outlive it.
// An Error if several processes cannot do it together.
std::unique_ptr<Training> make_training(const Share& share, const Recipe& recipe, int64_t outputs, at::Device device);

}  // namespace geniepath::training
