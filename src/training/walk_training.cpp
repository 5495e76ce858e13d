#include "training/walk_training.h"

#include <ATen/ATen.h>

#include <cmath>

#include "geniepath/error.h"
#include "training/batch.h"
#include "training/bookkeeping.h"
#include "training/logistic.h"
#include "training/loss.h"
#include "training/walk_learner.h"

namespace geniepath::training {
namespace {

// Penalties are 1 / (c rows), where c is scikit-learn's C, by default 1 there. From strong to weak, each fit starts
// from the last one's result.
constexpr double kC[] = {0.001, 0.01, 0.1, 0.3, 1, 3, 10, 30, 100};
constexpr double kUsualC = 1;

class WalkTraining final : public Training {
 public:
  WalkTraining(const Dataset& data, const Recipe& recipe, std::shared_ptr<Model> model)
      : Training(std::move(model)),
        data_(data),
        config_(recipe.train),
        metric_(chosen_metric(config_, data)),
        protocol_(chosen_protocol(config_, data)),
        learner_(make_walk_learner(data, recipe, *model_)) {
    if (model_->named_parameters().find("w_y") == nullptr || model_->named_parameters().find("b_y") == nullptr) {
      fail(recipe.model.model, ": learning from walks needs a linear output layer with biases");
    }
  }

  bool finished() const override { return progress_.epoch >= config_.epochs; }

  std::optional<EpochRecord> run_epoch(const TrainHooks&) override {
    const auto start = Clock::now();
    EpochRecord record;
    record.epoch = progress_.epoch + 1;
    learner_->run_epoch(record);
    if (!std::isfinite(record.loss) || !std::isfinite(record.gradient_norm)) {
      fail("the walk loss is not a number (a lower learning-rate may help)");
    }
    progress_.epoch = record.epoch;
    record.seconds = seconds_since(start);
    return record;
  }

  TrainResult finish(bool interrupted, const LayerProgress&) override {
    fit_output_layer();
    progress_.best = copy_weights(*model_);
    progress_.best_epoch = progress_.epoch;
    TrainResult result;
    result.interrupted = interrupted;
    const SplitScores scores = evaluate(*model_, data_, protocol_, metric_);
    result.validated = !data_.valid.empty();
    result.valid = result.validated ? scores.valid : evaluate(*model_, data_, data_.train);
    if (!interrupted) result.test = scores.test;
    if (!interrupted) result.protocols = evaluate_protocols(*model_, data_, metric_);
    result.threshold = decision_threshold(*model_, data_, protocol_, metric_);
    return result;
  }

  TensorFile state() const override { return learner_->state(progress_.epoch); }
  void restore(const TensorFile& state, const std::string& where) override {
    progress_.epoch = learner_->restore(state, where);
  }

 private:
  // The model's representations of the training nodes.
  at::Tensor training_rows(const Batch& batch) {
    const at::NoGradGuard no_grad;
    return batch.rows(model_->embed(batch.input.to(model_->device())).cpu());
  }

  void set_output_layer(const LogisticFit& fit) {
    const at::NoGradGuard no_grad;
    model_->named_parameters()["w_y"].copy_(fit.w);
    model_->named_parameters()["b_y"].copy_(fit.b);
  }

  void fit_output_layer() {
    const Batch batch = split_batch(data_, data_.train);
    const at::Tensor rows = training_rows(batch);
    const auto fit = [&](double c, const LogisticFit* start) {
      const double l2 = 1 / (c * static_cast<double>(rows.size(0)));
      return fit_logistic(data_.task, rows, batch.labels, data_.num_classes, {.l2 = l2}, start);
    };
    if (data_.valid.empty()) return set_output_layer(fit(kUsualC, nullptr));
    double best_value = -1;
    LogisticFit best, last;
    for (const double c : kC) {
      last = fit(c, last.w.defined() ? &last : nullptr);
      set_output_layer(last);
      const double value = evaluate(*model_, data_, protocol_, metric_).valid.by_name(metric_);
      if (value > best_value) best_value = value, best = last;
    }
    set_output_layer(best);
  }

  const Dataset& data_;
  TrainConfig config_;
  std::string metric_;
  Protocol protocol_;
  std::unique_ptr<WalkLearner> learner_;
};

}  // namespace

bool learns_from_walks(const Recipe& recipe) {
  return is_walk_model(recipe.model.model) || recipe.train.objective == Objective::kWalks;
}

std::unique_ptr<Training> make_walk_training(const Dataset& data, const Recipe& recipe, std::shared_ptr<Model> model) {
  return std::make_unique<WalkTraining>(data, recipe, std::move(model));
}

}  // namespace geniepath::training
