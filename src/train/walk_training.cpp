#include "train/walk_training.h"

#include <ATen/ATen.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/line_file.h"
#include "geniepath/error.h"
#include "train/batch.h"
#include "train/bookkeeping.h"
#include "train/checkpoint.h"
#include "train/logistic.h"
#include "train/loss.h"
#include "train/replaced_run.h"
#include "train/run_files.h"
#include "train/walk_learner.h"

namespace geniepath::training {
namespace {

// The penalty is 1 / (c rows): scikit-learn's C, 1 there by default. From strong to weak, each begins where the last ended.
constexpr double kC[] = {0.001, 0.01, 0.1, 0.3, 1, 3, 10, 30, 100};
constexpr double kUsualC = 1;

class WalkTrainer {
 public:
  WalkTrainer(const Dataset& data, const RunDescription& run, const RunFolder& folder, at::Device device)
      : data_(data),
        config_(run.train),
        folder_(folder),
        metric_(chosen_metric(config_, data)),
        protocol_(chosen_protocol(config_, data)),
        model_(make_model(run.model, run.features, num_outputs(run.task, run.classes),
                          static_cast<uint64_t>(config_.seed))) {
    model_->to(device);
    learner_ = make_walk_learner(data, run, *model_);
    if (model_->named_parameters().find("w_y") == nullptr || model_->named_parameters().find("b_y") == nullptr) {
      fail(run.model.model, ": learning from walks needs a linear output layer with biases");
    }
  }

  TrainResult run(const TrainHooks& hooks, bool resume) {
    const auto start = Clock::now();
    if (resume && std::filesystem::exists(folder_.file(kLast))) epoch_ = learner_->restore(folder_.file(kLast));
    cut_metrics(folder_.file(kMetrics), epoch_);
    const int64_t first = epoch_;
    LineFile metrics(folder_.file(kMetrics));
    bool stopped = false;
    auto saved = Clock::now();
    while (epoch_ < config_.epochs && !stopped) {
      const EpochRecord record = run_epoch();
      metrics.add(record.to_json().dump());
      if (hooks.on_epoch) hooks.on_epoch(record);
      stopped = hooks.should_stop && hooks.should_stop();
      if (seconds_since(saved) > kSaveEvery) save(metrics), saved = Clock::now();
    }
    save(metrics);
    TrainResult result = score(stopped && epoch_ < config_.epochs);
    result.seconds = seconds_since(start);
    result.seconds_per_epoch = epoch_ > first ? result.seconds / static_cast<double>(epoch_ - first) : 0;
    return result;
  }

 private:
  void save(const LineFile& metrics) {
    metrics.flush();
    learner_->save(folder_.file(kLast), epoch_);
    if (epoch_ > 0) folder_ = take_place(folder_);
  }

  EpochRecord run_epoch() {
    const auto start = Clock::now();
    EpochRecord record;
    record.epoch = epoch_ + 1;
    learner_->run_epoch(record);
    if (!std::isfinite(record.loss) || !std::isfinite(record.gradient_norm)) {
      fail("training: the walk loss is not a number at epoch ", record.epoch, "; a lower learning-rate may help");
    }
    epoch_ = record.epoch;
    record.seconds = seconds_since(start);
    return record;
  }

  // The rows of training nodes as the model embeds them.
  at::Tensor training_rows(const Batch& batch) {
    const at::NoGradGuard no_grad;
    model_->eval();
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

  TrainResult score(bool interrupted) {
    fit_output_layer();
    save_weights(folder_.file(kBest), copy_weights(*model_), epoch_);
    TrainResult result;
    result.epochs = result.best_epoch = epoch_;
    result.interrupted = interrupted;
    const SplitScores scores = evaluate(*model_, data_, protocol_, metric_);
    result.valid = data_.valid.empty() ? evaluate(*model_, data_, data_.train) : scores.valid;
    if (!interrupted) result.test = scores.test;
    if (!interrupted) result.protocols = evaluate_protocols(*model_, data_, metric_);
    result.threshold = decision_threshold(*model_, data_, protocol_, metric_);
    result.peak_bytes = peak_bytes_of_process();
    return result;
  }

  const Dataset& data_;
  TrainConfig config_;
  RunFolder folder_;
  std::string metric_;
  Protocol protocol_;
  std::shared_ptr<Model> model_;
  std::unique_ptr<WalkLearner> learner_;
  int64_t epoch_ = 0;
};

}  // namespace

bool learns_from_walks(const RunDescription& run) {
  return is_walk_model(run.model.model) || run.train.objective == "walks";
}

TrainResult train_on_walks(const Dataset& data, const RunDescription& run, const RunFolder& folder,
                           const TrainHooks& hooks, bool resume, at::Device device) {
  return WalkTrainer(data, run, folder, device).run(hooks, resume);
}

}  // namespace geniepath::training
