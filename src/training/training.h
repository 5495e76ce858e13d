// A training in progress, one epoch at a time: how a model learns, and all there is to know of it at any moment.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "geniepath/train.h"
#include "io/safetensors.h"
#include "training/state.h"

namespace geniepath::training {

class Training {
 public:
  virtual ~Training() = default;

  const std::shared_ptr<Model>& model() const { return model_; }
  // Epochs done, and the best weights so far.
  const Progress& progress() const { return progress_; }

  virtual bool finished() const = 0;
  // Trains for one epoch and counts it. Nothing where the hooks stopped it within: the training is then as it was. An Error
  // where its loss is not a number.
  virtual std::optional<EpochRecord> run_epoch(const TrainHooks& hooks) = 0;
  // The model gets its best weights, and these their scores; progress() then has them as the best.
  virtual TrainResult finish(bool interrupted) = 0;

  // All that another Training needs to go on to the same bits.
  virtual TensorFile state() const = 0;
  virtual void restore(const TensorFile& state, const std::string& where) = 0;

 protected:
  explicit Training(std::shared_ptr<Model> model) : model_(std::move(model)) {}

  std::shared_ptr<Model> model_;
  Progress progress_;
};

// By labels or by walks, as the recipe says. `outputs`: columns of the model's output. `data` must outlive it.
std::unique_ptr<Training> make_training(const Dataset& data, const Recipe& recipe, int64_t outputs, at::Device device);

}  // namespace geniepath::training
