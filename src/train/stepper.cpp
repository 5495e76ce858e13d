#include "train/stepper.h"

#include <ATen/ATen.h>

#include "base/random.h"
#include "train/loss.h"

namespace geniepath::training {
namespace {

std::shared_ptr<Model> make_model_on(at::Device device, const RunDescription& run) {
  auto model = make_model(run.model, run.features, num_outputs(run.task, run.classes), static_cast<uint64_t>(run.train.seed));
  model->to(device);
  return model;
}

std::vector<std::pair<std::string, at::Tensor>> named_parameters(const Model& model) {
  std::vector<std::pair<std::string, at::Tensor>> parameters;
  for (const auto& item : model.named_parameters()) parameters.emplace_back(item.key(), item.value());
  return parameters;
}

}  // namespace

Stepper::Stepper(const Dataset& data, const RunDescription& run, at::Device device)
    : stream_(device),
      task_(data.task),
      seed_(static_cast<uint64_t>(run.train.seed)),
      model_(make_model_on(device, run)),
      adam_(named_parameters(*model_), {.l2 = run.train.l2, .clip = run.train.clip}),
      batches_(data, run.train.batch_graphs, seed_, device),
      weight_(at::ones({1}, at::TensorOptions(at::kFloat).device(device))),
      loss_sum_(at::zeros({1}, at::TensorOptions(at::kDouble).device(device))) {
  const std::string& weights = run.train.class_weights;
  if (weights == "auto" ? data.task == Task::kBinary : weights == "balanced") {
    class_weights_ = balanced_weights(data.task, labels_of(data, data.train), data.num_classes).to(device);
  }
  for (size_t b = 0; b < batches_.size(); ++b) {
    gradients_.emplace_back(device, model_->replayable(), [this, b] { add_gradient(batches_[b]); });
  }
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
