// Epochs of training steps: a model, its optimizer and the training data, divided into steps, all on one device. On a
// GPU the gradient of each batch of whole graphs is recorded as a CUDA graph and replayed, and nothing waits for the
// GPU within an epoch. Mini-batches (batch_source.h) are made ahead by a thread of their own. Several processes each
// take their share of every step, and the sum of their gradients.
#pragma once

#include <memory>
#include <vector>

#include "geniepath/train.h"
#include "training/adam.h"
#include "training/batch_source.h"
#include "training/captured_step.h"
#include "training/gradient_sum.h"
#include "training/memory_check.h"
#include "training/step_batches.h"

namespace geniepath::training {

// A new model of the recipe for the data's features, on the device.
std::shared_ptr<Model> make_model_on(at::Device device, const Dataset& data, const Recipe& recipe, int64_t outputs);

class Stepper {
 public:
  // `share` must outlive it.
  Stepper(const Share& share, const TrainConfig& config, std::shared_ptr<Model> model, at::Device device);

  // Runs one pass over the training nodes; on a GPU it is only queued. Returns false if the hooks stopped it before its
  // last step: model and optimizer are then restored, as they are if another process is lost.
  bool queue_epoch(int64_t epoch, double learning_rate, const TrainHooks& hooks = {});
  // Mean loss over the last epoch's nodes of all processes, each taken before the node's own step. Waits for a GPU.
  double mean_loss() const;

  // Whether the forward pass of the next step is also a prediction for all nodes: an epoch is one step, of all graphs,
  // and the model trains as it predicts. Not on a GPU, where steps are recorded.
  bool can_run_ahead() const;
  // Runs that pass now and returns its scores, [N, outputs]; the step then only has its backward pass left.
  at::Tensor run_ahead(const LayerProgress& progress);
  // Frees the pass that was run ahead. To be called before the weights are set by anything but a step.
  void forget_ahead() { ahead_.reset(); }

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }
  const StepBatches& batches() const { return batches_; }  // none if there are mini-batches
  bool has_mini_batches() const { return source_ != nullptr; }
  // The first step's, on the device: a sample of the training data.
  ModelInput first_mini_batch() { return source_->make(1, 0).input.to(model_->device()); }
  // The gradient of the largest mini-batch, computed and forgotten: what a step takes under a memory limit
  // (memory_limit.h).
  StepMemory try_largest_step();
  const at::Tensor& class_weights() const { return class_weights_; }  // undefined: none
  Adam& adam() { return adam_; }
  const Adam& adam() const { return adam_; }

 private:
  using Batches = std::vector<size_t>;
  struct EpochSteps;
  bool run_steps(EpochSteps& steps, double learning_rate, const TrainHooks& hooks);  // false: stopped
  // Each sums the gradients of a step and returns its weight, over all processes.
  double step(EpochSteps& steps, int64_t step);
  double add_gradients(const Batches& batches, int64_t epoch);
  double add_gradient_of(const Batch& batch, int64_t epoch, int64_t step);
  // A batch's weight in a mean over a step: its number of nodes or, if classes are weighted, its nodes' summed weights.
  double weight_of(const Batch& batch) const;
  void set_dropout_keys(int64_t epoch, uint64_t batch, uint64_t batches);
  void add_gradient(const Batch& batch, double weight);
  at::Tensor scores_of(const Batch& batch, int64_t pass);
  at::Tensor loss_of(const Batch& batch, const at::Tensor& scores) const;

  Group& group_;
  RecordableStream stream_;
  Task task_;
  Loss loss_;
  uint64_t seed_;
  std::shared_ptr<Model> model_;
  std::unique_ptr<BatchSource> source_;  // of mini-batches; or null
  StepBatches batches_;
  bool masks_differ_;  // between processes, whose batches are not the same
  double consistency_;
  int64_t passes_;  // per step and batch, each with dropout masks of its own
  Adam adam_;
  GradientSum sum_;
  std::vector<CapturedStep> gradients_;  // one per batch
  std::vector<double> weights_;  // of these batches
  at::Tensor class_weights_;
  bool weighs_nodes_ = false;  // whether these weights enter the mean
  at::Tensor dropout_keys_;  // of the current batch's passes, int64
  at::Tensor share_;             // of the current batch in its step's weight, [1]
  at::Tensor loss_sum_;          // over the epoch's batches of this process, weighted, [1]
  double weight_sum_ = 0;        // of the epoch, over all processes
  at::Tensor ahead_;             // scores of the next step, of a pass run ahead; or undefined
};

// A Stepper with a new model of the recipe. `share` must outlive it.
Stepper stepper_for(const Share& share, const Recipe& recipe, at::Device device);

}  // namespace geniepath::training
