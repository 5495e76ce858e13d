#include "training/stepper.h"

#include <ATen/ATen.h>

#include <optional>

#include "training/batch_loader.h"
#include "training/bookkeeping.h"
#include "training/loss.h"

namespace geniepath::training {

std::shared_ptr<Model> make_model_on(at::Device device, const Dataset& data, const Recipe& recipe, int64_t outputs) {
  auto model = make_model(recipe.model, data.features.num_features(), outputs, static_cast<uint64_t>(recipe.train.seed));
  model->to(device);
  return model;
}

Stepper::Stepper(const Dataset& data, const TrainConfig& config, std::shared_ptr<Model> model, at::Device device)
    : stream_(device),
      task_(data.task),
      loss_(loss_named(config.loss)),
      seed_(static_cast<uint64_t>(config.seed)),
      model_(std::move(model)),
      source_(config.batch == BatchKind::kWhole ? nullptr : make_batch_source(data, config)),
      batches_(source_ == nullptr ? StepBatches(data, config.batch_graphs, seed_, device) : StepBatches()),
      consistency_(config.consistency),
      passes_(consistency_ > 0 ? 2 : 1),
      adam_(nn::parameters_of(*model_),
            adam_options(config, source_ == nullptr ? batches_.steps_per_epoch() : source_->steps_per_epoch())),
      dropout_keys_(at::zeros({passes_}, at::TensorOptions(at::kLong).device(device))),
      weight_(at::ones({1}, at::TensorOptions(at::kFloat).device(device))),
      loss_sum_(at::zeros({1}, at::TensorOptions(at::kDouble).device(device))) {
  const ClassWeights weights = config.class_weights;
  if (weights == ClassWeights::kAuto ? data.task == Task::kBinary : weights == ClassWeights::kBalanced) {
    class_weights_ = balanced_weights(data.task, labels_of(data, data.train), data.num_classes).to(device);
  }
  for (size_t b = 0; b < batches_.size(); ++b) {
    gradients_.emplace_back(device, model_->replayable() && is_replayable(config.loss), [this, b] { add_gradient(batches_[b]); });
  }
}

Stepper stepper_for(const Dataset& data, const Recipe& recipe, at::Device device) {
  return Stepper(data, recipe.train, make_model_on(device, data, recipe, num_outputs(data.task, data.num_classes)), device);
}

// The steps of one epoch: lists of whole graphs, or mini-batches as they come.
struct Stepper::EpochSteps {
  EpochSteps(Stepper& stepper, int64_t number) : epoch(number) {
    if (stepper.source_ == nullptr) {
      whole = stepper.batches_.steps(epoch);
      count = std::ssize(whole);
    } else {
      loader.emplace(*stepper.source_, epoch);
      count = stepper.source_->steps_per_epoch();
    }
  }
  int64_t epoch, count = 0;
  std::vector<Batches> whole;
  std::optional<BatchLoader> loader;
};

bool Stepper::queue_epoch(int64_t epoch, double learning_rate, const TrainHooks& hooks) {
  loss_sum_.zero_();
  nodes_ = 0;
  EpochSteps steps(*this, epoch);
  const bool may_stop = hooks.should_stop && steps.count > 1;
  const Adam::Snapshot start = may_stop ? adam_.snapshot() : Adam::Snapshot{};
  for (int64_t s = 0; s < steps.count; ++s) {
    const at::Tensor loss_before = hooks.on_step ? loss_sum_.clone() : at::Tensor();
    const int64_t nodes = step(steps, s);
    adam_.step(learning_rate);
    nodes_ += nodes;
    if (hooks.on_step) {
      hooks.on_step({epoch, s + 1, steps.count, learning_rate, (loss_sum_ - loss_before) / static_cast<double>(nodes)});
    }
    if (may_stop && s + 1 < steps.count && hooks.should_stop()) {
      adam_.restore(start);
      return false;
    }
  }
  return true;
}

int64_t Stepper::nodes_of(const Batches& batches) const {
  int64_t nodes = 0;
  for (const size_t b : batches) nodes += batches_[b].nodes.numel();
  return nodes;
}

double Stepper::mean_loss() const { return loss_sum_.item<double>() / static_cast<double>(nodes_); }

int64_t Stepper::step(EpochSteps& steps, int64_t step) {
  if (!steps.loader) {
    const Batches& batches = steps.whole[static_cast<size_t>(step)];
    add_gradients(batches, steps.epoch);
    return nodes_of(batches);
  }
  const Batch batch = steps.loader->next().to(model_->device());
  add_gradient_of(batch, steps.epoch, step);
  return batch.nodes.numel();
}

// Accumulates the gradients of the batches, weighted by their shares of the step's nodes.
void Stepper::add_gradients(const Batches& batches, int64_t epoch) {
  const int64_t nodes = nodes_of(batches);
  for (const size_t b : batches) {
    set_dropout_keys(epoch, b, batches_.size());
    weight_.fill_(static_cast<double>(batches_[b].nodes.numel()) / static_cast<double>(nodes));
    gradients_[b].run();
  }
}

void Stepper::set_dropout_keys(int64_t epoch, uint64_t batch, uint64_t batches) {
  for (int64_t p = 0; p < passes_; ++p) {
    const uint64_t number = batch + static_cast<uint64_t>(p) * batches;
    dropout_keys_[p].fill_(static_cast<int64_t>(dropout_key(seed_, epoch, number)));
  }
}

void Stepper::add_gradient_of(const Batch& batch, int64_t epoch, int64_t step) {
  set_dropout_keys(epoch, static_cast<uint64_t>(step), static_cast<uint64_t>(source_->steps_per_epoch()));
  weight_.fill_(1);
  add_gradient(batch);
}

// May be replayed from a recording: it reads the dropout keys and the weight from their tensors.
void Stepper::add_gradient(const Batch& batch) {
  std::vector<at::Tensor> scores, losses;
  for (int64_t p = 0; p < passes_; ++p) {
    scores.push_back(model_->forward(batch.input, Pass({dropout_keys_.narrow(0, p, 1), 0})));
    losses.push_back(loss_({task_, batch.rows(scores.back()), batch.labels, class_weights_}));
  }
  at::Tensor loss = losses[0];
  if (passes_ > 1) loss = at::stack(losses).mean() + consistency_ * inconsistency(task_, scores);
  (loss * weight_).sum().backward();
  loss_sum_.add_(loss.detach(), static_cast<double>(batch.nodes.numel()));
}

}  // namespace geniepath::training
