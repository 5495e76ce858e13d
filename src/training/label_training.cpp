#include "training/label_training.h"

#include <ATen/ATen.h>

#include <cmath>

#include "base/memory_limit.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "nn/start.h"
#include "training/bookkeeping.h"
#include "training/evaluation.h"
#include "training/loss.h"
#include "training/stepper.h"

namespace geniepath::training {
namespace {

class LabelTraining final : public Training {
 public:
  LabelTraining(const Share& share, const Recipe& recipe, std::shared_ptr<Model> model, at::Device device)
      : Training(std::move(model)),
        share_(share),
        config_(recipe.train),
        init_(recipe.model.init),
        metric_(chosen_metric(config_, share.data())),
        protocol_(chosen_protocol(config_, share.data())),
        stepper_(share, config_, model_, device),
        device_(device),
        runs_ahead_(is_whole() && config_.average == 0 && stepper_.can_run_ahead()) {
    if (memory_limit() == 0 || !stepper_.has_mini_batches()) {
      valid_ = judging_batch();
    } else {
      check_fits_memory(stepper_.try_largest_step(), config_);
    }
  }

  bool finished() const override {
    if (progress_.epoch >= config_.epochs) return true;
    return config_.patience > 0 && progress_.epoch - progress_.best_epoch >= config_.patience && progress_.epoch > 0;
  }

  std::optional<EpochRecord> run_epoch(const TrainHooks& hooks) override {
    if (progress_.epoch == 0 && init_ == Init::kSignal) start_weights();
    if (progress_.epoch == 0 && runs_ahead_) stepper_.run_ahead(hooks.on_layer);
    const auto start = Clock::now();
    EpochRecord record;
    record.epoch = progress_.epoch + 1;
    record.learning_rate = learning_rate_at(config_, record.epoch);
    if (!stepper_.queue_epoch(record.epoch, record.learning_rate, hooks)) return std::nullopt;
    record.loss = stepper_.mean_loss();
    record.gradient_norm = stepper_.adam().gradient_norm();
    if (!std::isfinite(record.loss) || !std::isfinite(record.gradient_norm)) fail("the loss is not a number");
    stepper_.adam().swap_average();
    record.valid = valid_scores(record.epoch, hooks.on_layer);
    record.validated = share_.judging() == Split::kValid;
    note_best(record);
    stepper_.adam().swap_average();
    progress_.epoch = record.epoch;
    progress_.loss.add(record.epoch, record.loss);
    record.seconds = seconds_since(start);
    return record;
  }

  TrainResult finish(bool interrupted, const LayerProgress& progress) override {
    TrainResult result;
    result.interrupted = interrupted;
    stepper_.forget_ahead();
    if (progress_.best.empty()) return result;
    set_weights(*model_, progress_.best, "the best weights");
    using Test = JudgedSplits::Test;
    const JudgedSplits judged(*model_, share_, metric_, valid_ ? &valid_->input : nullptr,
                              interrupted ? Test::kWithout : Test::kWith, progress);
    result.valid = judged.judging(protocol_);
    result.validated = share_.judging() == Split::kValid;
    if (!interrupted) result.test = judged.by(protocol_).test;
    if (!interrupted) result.protocols = judged.by_every_protocol();
    result.threshold = judged.threshold(protocol_);
    return result;
  }

  TensorFile state() const override { return state_of(*model_, stepper_.adam(), progress_); }

  void restore(const TensorFile& state, const std::string& where) override {
    stepper_.forget_ahead();
    progress_ = restore_state(state, *model_, stepper_.adam(), where);
    if (progress_.best_epoch > 0 && progress_.best.empty()) {
      fail(where, ": a checkpoint of an older geniepath, without the best weights; start the run over (--force)");
    }
  }

 private:
  // Whether nodes are trained on and judged in the same graph.
  bool is_whole() const {
    return !share_.data().inductive && !stepper_.has_mini_batches() && config_.batch_graphs == 0;
  }

  // Shares the input of the training batch if both are the whole graph.
  Batch judging_batch() const {
    if (is_whole()) return share_.batch(share_.judging(), stepper_.batches()[0].input);
    return share_.batch(share_.judging(), InputUse::kPrediction).to(device_);
  }

  // After an epoch. Where the next step's forward pass is a prediction, it is run already, and judged. Under a memory
  // limit, the whole graph's input is made anew each time, so that the steps have its room.
  Scores valid_scores(int64_t epoch, const LayerProgress& progress) {
    const Rankings rankings = rankings_for(metric_);
    if (runs_ahead_ && epoch < config_.epochs) {
      return score_batch(stepper_.run_ahead(progress), share_, *valid_, protocol_, metric_, rankings);
    }
    if (valid_) return score_batch(*model_, share_, *valid_, protocol_, metric_, rankings, progress);
    const Scores scores = score_batch(*model_, share_, judging_batch(), protocol_, metric_, rankings, progress);
    give_back_free_memory();
    return scores;
  }

  void start_weights() {
    const auto seed = static_cast<uint64_t>(config_.seed);
    const Dataset& data = share_.data();
    const at::Tensor scores =
        guessed_scores(data.task, share_.all_labels(Split::kTrain), data.num_classes, stepper_.class_weights());
    nn::start_weights(*model_, seed, starting_input(), scores, share_.group());
  }

  // The training data, or a sample of it.
  ModelInput starting_input() {
    if (stepper_.has_mini_batches()) return stepper_.first_mini_batch();
    if (stepper_.batches().size() == 1) return stepper_.batches()[0].input;
    return share_.batch(Split::kTrain, InputUse::kPrediction).input.to(model_->device());
  }

  void note_best(EpochRecord& record) {
    const double value = share_.group().number_of_first(record.valid.by_name(metric_));
    if (std::isnan(value)) fail_undefined(metric_, share_.data());
    record.best = value > progress_.best_value;
    if (record.best) {
      Weights weights = copy_weights(*model_);
      check_tensors_finite(weights, "the weights");
      progress_.best = std::move(weights);
      progress_.best_value = value;
      progress_.best_epoch = record.epoch;
    }
    record.best_value = progress_.best_value;
    record.best_epoch = progress_.best_epoch;
  }

  const Share& share_;
  TrainConfig config_;
  Init init_;
  std::string metric_;
  Protocol protocol_;
  Stepper stepper_;
  at::Device device_;
  bool runs_ahead_;             // whether a step's forward pass also judges the epoch before
  std::optional<Batch> valid_;  // none under a memory limit
};

}  // namespace

std::unique_ptr<Training> make_label_training(const Share& share, const Recipe& recipe, std::shared_ptr<Model> model,
                                              at::Device device) {
  return std::make_unique<LabelTraining>(share, recipe, std::move(model), device);
}

}  // namespace geniepath::training
