#include "training/evaluation.h"

#include <ATen/ATen.h>

#include "geniepath/error.h"
#include "training/loss.h"

namespace geniepath {
namespace training {
namespace {

// Predictions and labels of a batch's nodes.
struct Judged {
  Judged(const Model& model, const Dataset& data, const Batch& batch) : task(data.task), class_names(data.class_names) {
    const at::NoGradGuard no_grad;
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

}  // namespace

Batch judging_batch(const Dataset& data) { return split_batch(data, data.valid.empty() ? data.train : data.valid); }

Scores score_batch(const Model& model, const Dataset& data, const Batch& batch, Protocol protocol, const std::string& metric,
                   Rankings rankings) {
  const Judged judged(model, data, batch);
  return judged.by(protocol, protocol == Protocol::kTuned ? judged.tuned_threshold(metric) : kHalf, rankings);
}

Rankings rankings_for(const std::string& metric) {
  return metric == "roc_auc" || metric == "average_precision" ? Rankings::kWith : Rankings::kWithout;
}

}  // namespace training

namespace {

using training::Judged, training::judging_batch, training::kHalf;

// Both splits, predicted once.
class JudgedSplits {
 public:
  JudgedSplits(const Model& model, const Dataset& data, std::string metric)
      : metric_(std::move(metric)),
        valid_(model, data, judging_batch(data).to(model.device())),
        test_(model, data, training::split_batch(data, data.test).to(model.device())),
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

}  // namespace

at::Tensor predict(const Model& model, const Dataset& data) {
  const at::NoGradGuard no_grad;
  const ModelInput input = ModelInput(data.features, data.graph).to(model.device());
  return training::probabilities_of(data.task, model.forward(input)).cpu();
}

at::Tensor embed(const Model& model, const Dataset& data) {
  const at::NoGradGuard no_grad;
  const at::Tensor rows = model.embed(ModelInput(data.features, data.graph).to(model.device())).contiguous().cpu();
  training::check_rows_finite(rows, "embedding");
  return rows;
}

Scores evaluate(const Model& model, const Dataset& data, const std::vector<NodeId>& nodes) {
  if (nodes.empty()) return {};
  return Judged(model, data, training::split_batch(data, nodes).to(model.device())).by(Protocol::kHalf, kHalf);
}

SplitScores evaluate(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric) {
  return JudgedSplits(model, data, metric).by(protocol);
}

std::vector<SplitScores> evaluate_protocols(const Model& model, const Dataset& data, const std::string& metric) {
  if (data.task != Task::kMultiLabel) return {};
  const JudgedSplits judged(model, data, metric);
  return {judged.by(Protocol::kHalf), judged.by(Protocol::kTuned), judged.by(Protocol::kLabelCount)};
}

double decision_threshold(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric) {
  if (protocol == Protocol::kHalf || (data.valid.empty() && data.train.empty())) return kHalf;
  return Judged(model, data, judging_batch(data).to(model.device())).tuned_threshold(metric);
}

std::string chosen_metric(const TrainConfig& config, const Dataset& data) {
  return config.metric == "auto" ? data.metric : config.metric;
}

Protocol chosen_protocol(const TrainConfig& config, const Dataset& data) {
  const Protocol protocol = config.threshold != Protocol::kAuto
                                ? config.threshold
                                : from_string<Protocol>(usual_threshold(data.name), "threshold");
  if (protocol == Protocol::kLabelCount && data.task != Task::kMultiLabel) {
    fail("threshold: label-count is for multi-label tasks, but ", data.name, " is ", to_string(data.task));
  }
  return protocol;
}

}  // namespace geniepath
