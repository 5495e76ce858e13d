#include "geniepath/train.h"

#include <ATen/ATen.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/line_file.h"
#include "io/safetensors.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "train/batch.h"
#include "train/bookkeeping.h"
#include "train/checkpoint.h"
#include "train/loss.h"
#include "train/replaced_run.h"
#include "train/run_files.h"
#include "train/stepper.h"
#include "train/walk_training.h"

namespace geniepath {
namespace {

using namespace training;  // NOLINT(google-build-using-namespace): this file is that layer's door
using Json = nlohmann::ordered_json;

// What a model makes of a batch's nodes, and what they are.
struct Judged {
  Judged(Model& model, const Dataset& data, const Batch& batch) : task(data.task), class_names(data.class_names) {
    const at::NoGradGuard no_grad;
    model.eval();
    labels = batch.labels;
    probabilities = probabilities_of(task, batch.rows(model.forward(batch.input)));
  }
  Scores by(Protocol protocol, double threshold, Rankings rankings = Rankings::kWith) const {
    if (protocol == Protocol::kLabelCount) return score_label_count(probabilities, labels, class_names, rankings);
    return score_predictions(task, probabilities, labels, threshold, class_names, rankings);
  }
  double tuned_threshold(const std::string& metric) const { return best_threshold(task, probabilities, labels, metric); }

  Task task;
  std::vector<std::string> class_names;
  at::Tensor probabilities, labels;
};

constexpr double kHalf = 0.5;

// The nodes that pick the best epoch and the threshold.
Batch judging_batch(const Dataset& data) { return split_batch(data, data.valid.empty() ? data.train : data.valid); }

// The scores of a batch that may itself choose the threshold.
Scores score_batch(Model& model, const Dataset& data, const Batch& batch, Protocol protocol, const std::string& metric,
                   Rankings rankings) {
  const Judged judged(model, data, batch);
  return judged.by(protocol, protocol == Protocol::kTuned ? judged.tuned_threshold(metric) : kHalf, rankings);
}

// Every epoch, rankings are worth their sorts only where one of them picks the best.
Rankings rankings_for(const std::string& metric) {
  return metric == "roc_auc" || metric == "average_precision" ? Rankings::kWith : Rankings::kWithout;
}

// Both splits, judged once.
class JudgedSplits {
 public:
  JudgedSplits(Model& model, const Dataset& data, std::string metric)
      : metric_(std::move(metric)),
        valid_(model, data, judging_batch(data).to(model.device())),
        test_(model, data, split_batch(data, data.test).to(model.device())),
        has_valid_(!data.valid.empty()) {}
  SplitScores by(Protocol protocol) const {
    SplitScores scores;
    scores.protocol = protocol;
    if (protocol == Protocol::kTuned) scores.threshold = valid_.tuned_threshold(metric_);
    if (has_valid_) scores.valid = valid_.by(protocol, scores.threshold);
    scores.test = test_.by(protocol, scores.threshold);
    return scores;
  }

 private:
  std::string metric_;
  Judged valid_, test_;
  bool has_valid_;
};

class Trainer {
 public:
  Trainer(const Dataset& data, const RunDescription& run, const RunFolder& folder, at::Device device)
      : data_(data),
        config_(run.train),
        folder_(folder),
        metric_(chosen_metric(config_, data)),
        protocol_(chosen_protocol(config_, data)),
        stepper_(data, run, device),
        valid_(judging_batch(data).to(device)) {}

  TrainResult run(const TrainHooks& hooks, bool resume) {
    const auto start = Clock::now();
    if (resume && std::filesystem::exists(folder_.file(kLast))) restore();
    cut_metrics(folder_.file(kMetrics), progress_.epoch);
    const int64_t first = progress_.epoch;
    LineFile metrics(folder_.file(kMetrics));
    bool stopped = hooks.should_stop && hooks.should_stop();
    auto saved = Clock::now();
    while (!finished() && !stopped) {
      const EpochRecord record = run_epoch_or_stop();
      metrics.add(record.to_json().dump());
      if (hooks.on_epoch) hooks.on_epoch(record);
      stopped = hooks.should_stop && hooks.should_stop();
      if (seconds_since(saved) > kSaveEvery) save(metrics), saved = Clock::now();
    }
    save(metrics);
    return result(seconds_since(start), progress_.epoch - first, stopped && !finished());
  }

 private:
  bool finished() const {
    if (progress_.epoch >= config_.epochs) return true;
    return config_.patience > 0 && progress_.epoch - progress_.best_epoch >= config_.patience && progress_.epoch > 0;
  }

  EpochRecord run_epoch_or_stop() {
    try {
      return run_epoch();
    } catch (const Error& error) {
      stop(error.what());
    } catch (const std::exception& error) {
      const std::string why = out_of_memory_message(error);
      if (why.empty()) throw;
      stop(why);
    }
  }

  EpochRecord run_epoch() {
    const auto start = Clock::now();
    EpochRecord record;
    record.epoch = progress_.epoch + 1;
    record.learning_rate = learning_rate_at(config_, record.epoch);
    stepper_.queue_epoch(record.epoch, record.learning_rate);
    record.loss = stepper_.mean_loss();
    record.gradient_norm = stepper_.adam().gradient_norm();
    if (!std::isfinite(record.loss) || !std::isfinite(record.gradient_norm)) fail("the loss is not a number");
    record.valid = score_batch(stepper_.model(), data_, valid_, protocol_, metric_, rankings_for(metric_));
    note_best(record);
    progress_.epoch = record.epoch;
    record.seconds = seconds_since(start);
    return record;
  }

  // Ends the run with what went wrong; the best weights so far are kept.
  [[noreturn]] void stop(const std::string& why) {
    const int64_t epoch = progress_.epoch + 1;
    if (progress_.best.empty()) fail("training: ", why, " at epoch ", epoch, "; no epoch was completed before");
    save_best();
    folder_ = take_place(folder_);
    fail("training: ", why, " at epoch ", epoch, "; the best checkpoint, of epoch ", progress_.best_epoch, ", is kept in ",
         folder_.file(kBest).string());
  }

  void note_best(EpochRecord& record) {
    const double value = record.valid.by_name(metric_);
    record.best = value > progress_.best_value;
    if (record.best) {
      Weights weights = copy_weights(stepper_.model());
      check_tensors_finite(weights, "the weights");
      progress_.best = std::move(weights);
      progress_.best_value = value;
      progress_.best_epoch = record.epoch;
    }
    record.best_value = progress_.best_value;
    record.best_epoch = progress_.best_epoch;
  }

  void save_best() const {
    if (!progress_.best.empty()) save_weights(folder_.file(kBest), progress_.best, progress_.best_epoch);
  }

  // In this order: the lines of metrics before the state that counts on them, and the best weights, which are in the state
  // as well, after it.
  void save(const LineFile& metrics) {
    metrics.flush();
    save_state(folder_.file(kLast), stepper_.model(), stepper_.adam(), progress_);
    save_best();
    if (progress_.epoch > 0) folder_ = take_place(folder_);
  }

  void restore() {
    progress_ = load_state(folder_.file(kLast), stepper_.model(), stepper_.adam());
    if (progress_.best_epoch == 0 || !progress_.best.empty()) return;
    // A state of geniepath before it held the best weights too.
    progress_.best = load_weights(folder_.file(kBest), progress_.best_epoch);
    for (auto& [_, tensor] : progress_.best) tensor = tensor.clone();
  }

  TrainResult result(double seconds, int64_t epochs_run, bool interrupted) {
    TrainResult result;
    result.epochs = progress_.epoch;
    result.best_epoch = progress_.best_epoch;
    result.interrupted = interrupted;
    result.seconds_per_epoch = epochs_run > 0 ? seconds / static_cast<double>(epochs_run) : 0;
    if (!progress_.best.empty()) {
      set_weights(stepper_.model(), progress_.best, folder_.file(kBest).string());
      result.valid = score_batch(stepper_.model(), data_, valid_, protocol_, metric_, Rankings::kWith);
      if (!interrupted) result.test = evaluate(stepper_.model(), data_, protocol_, metric_).test;
      if (!interrupted) result.protocols = evaluate_protocols(stepper_.model(), data_, metric_);
      result.threshold = decision_threshold(stepper_.model(), data_, protocol_, metric_);
    }
    result.seconds = seconds;
    result.peak_bytes = peak_bytes_of_process();
    return result;
  }

  const Dataset& data_;
  TrainConfig config_;
  RunFolder folder_;
  std::string metric_;
  Protocol protocol_;
  Stepper stepper_;
  Batch valid_;
  Progress progress_;
};

}  // namespace

void TrainConfig::visit(OptionVisitor& options) {
  options.integer("epochs", epochs, {1, 1000000}, "passes over the training nodes");
  options.real("learning-rate", learning_rate, {0, 100}, "step size of Adam");
  options.choice("schedule", schedule, {"constant", "cosine"}, "learning rate over the epochs: steady, or down to 0");
  options.real("l2", l2, {0, 1000}, "L2 penalty on all weights");
  options.real("clip", clip, {0, 1e9}, "largest norm of the gradient; larger ones are shortened (0: never)");
  options.integer("patience", patience, {0, 1000000}, "stop after this many epochs without a better score (0: never)");
  options.choice("metric", metric,
                 {"auto", "accuracy", "f1", "micro_f1", "macro_f1", "roc_auc", "average_precision"},
                 "validation score that picks the best epoch (auto: the data set's own)");
  options.choice("threshold", threshold, {"auto", "0.5", "tuned", "label-count"},
                 "what decides labels: above 0.5, above the threshold that is best on validation nodes, or as many as a "
                 "node truly has (auto: as is usual for the data set)");
  options.integer("batch-graphs", batch_graphs, {0, 1000000}, "whole graphs a step (0: all of them in one)");
  options.choice("class-weights", class_weights, {"auto", "none", "balanced"},
                 "whether rare classes weigh as much as common ones in the loss (auto: in binary tasks)");
  options.choice("objective", objective, {"labels", "walks"},
                 "what the hidden layers learn from: the labels, or random walks alone (then biases are on)");
  options.integer("seed", seed, {0, int64_t{1} << 53},
                  "of weights, dropout and batches; the same seed, the same bits on one machine (with oneDNN, for any number "
                  "of threads)");
}

Json to_json(const Scores& scores) {
  Json object;
  for (const std::string& name : Scores::names()) {
    if (scores.ranked || (name != "roc_auc" && name != "average_precision")) object[name] = scores.by_name(name);
  }
  return object;
}

Json SplitScores::to_json() const {
  Json object{{"protocol", to_string(protocol)}};
  if (protocol != Protocol::kLabelCount) object["threshold"] = threshold;
  object["valid"] = geniepath::to_json(valid);
  object["test"] = geniepath::to_json(test);
  return object;
}

Json EpochRecord::to_json() const {
  const bool scored = !valid.classes.empty();
  return {{"epoch", epoch},
          {"loss", loss},
          {"learning_rate", learning_rate},
          {"gradient_norm", gradient_norm},
          {"valid", scored ? geniepath::to_json(valid) : Json::object()},
          {"best", best},
          {"seconds", seconds}};
}

TrainResult train(const Dataset& data, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume, at::Device device) {
  if (data.train.empty()) fail(data.name, ": no labelled training node");
  check_fits(description, data);
  const RunFolder place = resume ? folder : starting_place(folder);
  if (place.epochs_done() < description.train.epochs) drop_result(place);
  if (learns_from_walks(description)) return train_on_walks(data, description, place, hooks, resume, device);
  try {
    return Trainer(data, description, place, device).run(hooks, resume);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string why = out_of_memory_message(error);
    if (why.empty()) throw;
    fail("training: ", why, "; what was saved in ", folder.path().string(), " is kept");
  }
}

std::shared_ptr<Model> load_model(const RunFolder& folder) {
  const RunDescription run = folder.description();
  auto model = make_model(run.model, run.features, num_outputs(run.task, run.classes), 0);
  const auto path = folder.file(kBest);
  set_weights(*model, load_weights(path), path.string());
  model->eval();
  return model;
}

at::Tensor predict(Model& model, const Dataset& data) {
  const at::NoGradGuard no_grad;
  model.eval();
  const ModelInput input = ModelInput(data.features, data.graph).to(model.device());
  return probabilities_of(data.task, model.forward(input)).cpu();
}

at::Tensor embed(Model& model, const Dataset& data) {
  const at::NoGradGuard no_grad;
  model.eval();
  const at::Tensor rows = model.embed(ModelInput(data.features, data.graph).to(model.device())).contiguous().cpu();
  check_rows_finite(rows, "embedding");
  return rows;
}

Scores evaluate(Model& model, const Dataset& data, const std::vector<NodeId>& nodes) {
  if (nodes.empty()) return {};
  return Judged(model, data, split_batch(data, nodes).to(model.device())).by(Protocol::kHalf, kHalf);
}

SplitScores evaluate(Model& model, const Dataset& data, Protocol protocol, const std::string& metric) {
  return JudgedSplits(model, data, metric).by(protocol);
}

std::vector<SplitScores> evaluate_protocols(Model& model, const Dataset& data, const std::string& metric) {
  if (data.task != Task::kMultiLabel) return {};
  const JudgedSplits judged(model, data, metric);
  return {judged.by(Protocol::kHalf), judged.by(Protocol::kTuned), judged.by(Protocol::kLabelCount)};
}

double decision_threshold(Model& model, const Dataset& data, Protocol protocol, const std::string& metric) {
  if (protocol == Protocol::kHalf || (data.valid.empty() && data.train.empty())) return kHalf;
  return Judged(model, data, judging_batch(data).to(model.device())).tuned_threshold(metric);
}

std::string chosen_metric(const TrainConfig& config, const Dataset& data) {
  return config.metric == "auto" ? data.metric : config.metric;
}

Protocol chosen_protocol(const TrainConfig& config, const Dataset& data) {
  const Protocol protocol =
      protocol_from_string(config.threshold == "auto" ? usual_threshold(data.name) : config.threshold);
  if (protocol == Protocol::kLabelCount && data.task != Task::kMultiLabel) {
    fail("threshold: label-count is for multi-label tasks, but ", data.name, " is ", to_string(data.task));
  }
  return protocol;
}

void check_fits(const RunDescription& run, const Dataset& data) {
  if (run.task != data.task) {
    fail(data.name, ": a ", to_string(data.task), " task, but the model was made for ", to_string(run.task));
  }
  if (run.features != data.features.num_features()) {
    fail(data.name, ": ", data.features.num_features(), " features, but the model takes ", run.features);
  }
  if (run.classes < data.num_classes) {
    fail(data.name, ": ", data.num_classes, " classes, but the model knows ", run.classes);
  }
}

}  // namespace geniepath
