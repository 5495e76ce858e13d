#include "train/stepper.h"

#include <ATen/ATen.h>

#include "base/random.h"
#include "train/loss.h"

namespace geniepath::training {
std::shared_ptr<Model> make_model_on(at::Device device, const Dataset& data, const Recipe& recipe, int64_t outputs) {
  auto model = make_model(recipe.model, data.features.num_features(), outputs, static_cast<uint64_t>(recipe.train.seed));
  model->to(device);
  return model;
}

Stepper::Stepper(const Dataset& data, const TrainConfig& config, std::shared_ptr<Model> model, at::Device device)
    : stream_(device),
      task_(data.task),
      seed_(static_cast<uint64_t>(config.seed)),
      model_(std::move(model)),
      adam_(nn::parameters_of(*model_), {.l2 = config.l2, .clip = config.clip}),
      batches_(data, config.batch_graphs, seed_, device),
      weight_(at::ones({1}, at::TensorOptions(at::kFloat).device(device))),
      loss_sum_(at::zeros({1}, at::TensorOptions(at::kDouble).device(device))) {
  const std::string& weights = config.class_weights;
  if (weights == "auto" ? data.task == Task::kBinary : weights == "balanced") {
    class_weights_ = balanced_weights(data.task, labels_of(data, data.train), data.num_classes).to(device);
  }
  for (size_t b = 0; b < batches_.size(); ++b) {
    gradients_.emplace_back(device, model_->replayable(), [this, b] { add_gradient(batches_[b]); });
  }
}

Stepper stepper_for(const Dataset& data, const Recipe& recipe, at::Device device) {
  return Stepper(data, recipe.train, make_model_on(device, data, recipe, num_outputs(data.task, data.num_classes)), device);
}

void Stepper::queue_epoch(int64_t epoch, double learning_rate) {
  model_->train();
  loss_sum_.zero_();
  for (const std::vector<size_t>& batches : batches_.steps(epoch)) step(batches, epoch, learning_rate);
}

double Stepper::mean_loss() const { return loss_sum_.item<double>() / static_cast<double>(batches_.num_nodes()); }

// Adds the gradients of the batches, each weighted by its share of the step's nodes, and takes the step.
void Stepper::step(const std::vector<size_t>& batches, int64_t epoch, double learning_rate) {
  constexpr uint64_t kDropoutStream = 2;
  int64_t nodes = 0;
  for (const size_t b : batches) nodes += batches_[b].nodes.numel();
  for (const size_t b : batches) {
    model_->set_dropout_key(RandomStream{seed_, kDropoutStream, static_cast<uint64_t>(epoch), b}.key());
    weight_.fill_(static_cast<double>(batches_[b].nodes.numel()) / static_cast<double>(nodes));
    gradients_[b].run();
  }
  adam_.step(learning_rate);
}

// What may be replayed from a recording: it reads the dropout key and the weight where they lie.
void Stepper::add_gradient(const Batch& batch) {
  const at::Tensor loss = loss_of(task_, batch.rows(model_->forward(batch.input)), batch.labels, class_weights_);
  (loss * weight_).sum().backward();
  loss_sum_.add_(loss.detach(), static_cast<double>(batch.nodes.numel()));
}

}  // namespace geniepath::training
