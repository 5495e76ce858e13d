#include "training/stepper.h"

#include <ATen/ATen.h>

#include <optional>
#include <utility>

#include "base/memory_limit.h"
#include "geniepath/tensor_memory.h"
#include "training/batch_loader.h"
#include "training/bookkeeping.h"
#include "training/loss.h"

namespace geniepath::training {

std::shared_ptr<Model> make_model_on(at::Device device, const Dataset& data, const Recipe& recipe, int64_t outputs) {
  auto model =
      make_model(recipe.model, data.features.num_features(), outputs, static_cast<uint64_t>(recipe.train.seed));
  model->to(device);
  return model;
}

Stepper::Stepper(const Share& share, const TrainConfig& config, std::shared_ptr<Model> model, at::Device device)
    : group_(share.group()),
      stream_(device),
      task_(share.data().task),
      loss_(loss_named(config.loss)),
      seed_(static_cast<uint64_t>(config.seed)),
      model_(std::move(model)),
      source_(config.batch == BatchKind::kWhole
                  ? nullptr
                  : make_batch_source(share.whole(), config, {group_.rank(), group_.size()})),
      batches_(source_ == nullptr ? StepBatches(share, config.batch_graphs, seed_, device) : StepBatches()),
      masks_differ_(source_ != nullptr || config.batch_graphs == 0),
      consistency_(config.consistency),
      passes_(consistency_ > 0 ? 2 : 1),
      adam_(nn::parameters_of(*model_),
            adam_options(config, source_ == nullptr ? batches_.steps_per_epoch() : source_->steps_per_epoch())),
      sum_(group_, adam_),
      dropout_keys_(at::zeros({passes_}, at::TensorOptions(at::kLong).device(device))),
      share_(at::ones({1}, at::TensorOptions(at::kFloat).device(device))),
      loss_sum_(at::zeros({1}, at::TensorOptions(at::kDouble).device(device))) {
  const ClassWeights weights = config.class_weights;
  if (weights == ClassWeights::kAuto ? task_ == Task::kBinary : weights == ClassWeights::kBalanced) {
    class_weights_ = balanced_weights(task_, share.all_labels(Split::kTrain), share.data().num_classes).to(device);
    weighs_nodes_ = task_ == Task::kMultiClass && is_replayable(config.loss);
  }
  for (size_t b = 0; b < batches_.size(); ++b) {
    weights_.push_back(weight_of(batches_[b]));
    gradients_.emplace_back(device, group_.is_alone() && model_->replayable() && is_replayable(config.loss),
                            [this, b] { add_gradient(batches_[b], weights_[b]); });
  }
}

Stepper stepper_for(const Share& share, const Recipe& recipe, at::Device device) {
  const Dataset& data = share.data();
  return Stepper(share, recipe.train, make_model_on(device, data, recipe, num_outputs(data.task, data.num_classes)),
                 device);
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
  weight_sum_ = 0;
  EpochSteps steps(*this, epoch);
  const bool may_end_early = !group_.is_alone() || (hooks.should_stop && steps.count > 1);
  const Adam::Snapshot start = may_end_early ? adam_.snapshot() : Adam::Snapshot{};
  try {
    if (run_steps(steps, learning_rate, hooks)) return true;
  } catch (const distributed::LostProcess&) {
    adam_.restore(start);
    throw;
  }
  adam_.restore(start);
  return false;
}

bool Stepper::run_steps(EpochSteps& steps, double learning_rate, const TrainHooks& hooks) {
  for (int64_t s = 0; s < steps.count; ++s) {
    const at::Tensor loss_before = hooks.on_step ? loss_sum_.clone() : at::Tensor();
    const double weight = step(steps, s);
    adam_.step(learning_rate);
    weight_sum_ += weight;
    if (hooks.on_step) {
      const at::Tensor loss = loss_sum_ - loss_before;
      group_.sum(loss);
      hooks.on_step({steps.epoch, s + 1, steps.count, learning_rate, loss / weight});
    }
    if (s + 1 < steps.count && hooks.should_stop && hooks.should_stop()) return false;
  }
  return true;
}

StepMemory Stepper::try_largest_step() {
  const int64_t step = source_->largest_step(1);
  give_back_free_memory();
  StepMemory memory{.before = private_memory() + scratch_memory()};
  reset_peak_memory();
  const Batch batch = source_->make(1, step);
  memory.nodes = batch.input.graph.num_nodes();
  memory.batch = private_memory() + scratch_memory() - memory.before;
  set_dropout_keys(1, static_cast<uint64_t>(step), static_cast<uint64_t>(source_->steps_per_epoch()));
  add_gradient(batch, weight_of(batch));
  memory.peak = peak_memory() - memory.before;
  adam_.forget_gradients();
  return memory;
}

bool Stepper::can_run_ahead() const {
  return batches_.size() == 1 && passes_ == 1 && model_->trains_as_it_predicts() && !model_->device().is_cuda();
}

at::Tensor Stepper::run_ahead(const LayerProgress& progress) {
  ahead_ = model_->forward(batches_[0].input, Pass::watched(progress));
  return ahead_.detach();
}

double Stepper::mean_loss() const { return group_.sum(loss_sum_.item<double>()) / weight_sum_; }

double Stepper::step(EpochSteps& steps, int64_t step) {
  if (!steps.loader) return add_gradients(steps.whole[static_cast<size_t>(step)], steps.epoch);
  return add_gradient_of(steps.loader->next().to(model_->device()), steps.epoch, step);
}

double Stepper::weight_of(const Batch& batch) const {
  if (!weighs_nodes_) return static_cast<double>(batch.nodes.numel());
  return class_weights_.index_select(0, batch.labels).sum().item<double>();
}

// Accumulates the gradients of the batches, weighted by their shares of the step.
double Stepper::add_gradients(const Batches& batches, int64_t epoch) {
  double own = 0;
  for (const size_t b : batches) own += weights_[b];
  const double all = group_.sum(own);
  for (const size_t b : batches) {
    set_dropout_keys(epoch, b, batches_.size());
    share_.fill_(weights_[b] / all);
    if (b == batches.back()) sum_.expect_last();
    gradients_[b].run();
  }
  sum_.finish();
  return all;
}

void Stepper::set_dropout_keys(int64_t epoch, uint64_t batch, uint64_t batches) {
  const auto first = static_cast<uint64_t>(masks_differ_ ? group_.rank() * passes_ : 0);
  for (int64_t p = 0; p < passes_; ++p) {
    const uint64_t number = batch + (first + static_cast<uint64_t>(p)) * batches;
    dropout_keys_[p].fill_(static_cast<int64_t>(dropout_key(seed_, epoch, number)));
  }
}

double Stepper::add_gradient_of(const Batch& batch, int64_t epoch, int64_t step) {
  const double own = weight_of(batch), all = group_.sum(own);
  if (batch.nodes.numel() > 0) {  // else nothing to learn from, for this process
    set_dropout_keys(epoch, static_cast<uint64_t>(step), static_cast<uint64_t>(source_->steps_per_epoch()));
    share_.fill_(own / all);
    sum_.expect_last();
    add_gradient(batch, own);
  }
  sum_.finish();
  return all;
}

at::Tensor Stepper::scores_of(const Batch& batch, int64_t pass) {
  if (ahead_.defined()) return std::exchange(ahead_, {});
  return model_->forward(batch.input, Pass({dropout_keys_.narrow(0, pass, 1), 0}));
}

// May be replayed from a recording: it reads the dropout keys and the share from their tensors.
void Stepper::add_gradient(const Batch& batch, double weight) {
  std::vector<at::Tensor> scores, losses;
  for (int64_t p = 0; p < passes_; ++p) {
    scores.push_back(scores_of(batch, p));
    losses.push_back(loss_of(batch, scores.back()));
  }
  at::Tensor loss = losses[0];
  if (passes_ > 1) loss = at::stack(losses).mean() + consistency_ * inconsistency(task_, scores);
  (loss * share_).sum().backward();
  loss_sum_.add_(loss.detach(), weight);
}

// A process without training nodes still takes part in the hops of the others.
at::Tensor Stepper::loss_of(const Batch& batch, const at::Tensor& scores) const {
  if (batch.nodes.numel() == 0) return 0 * scores.sum();
  return loss_({task_, batch.rows(scores), batch.labels, class_weights_});
}

}  // namespace geniepath::training
