#include "training/evaluation.h"

#include <ATen/ATen.h>

#include "geniepath/error.h"
#include "training/loss.h"

namespace geniepath {
namespace training {
namespace {

constexpr double kHalf = 0.5;

// Scores before softmax or sigmoid of all nodes of the input.
at::Tensor forward_alone(const Model& model, const ModelInput& input, const LayerProgress& progress) {
  const at::NoGradGuard no_grad;
  return model.forward(input, Pass::watched(progress));
}

std::optional<Judged> judge_apart(const Model& model, const Share& share, Split split, const LayerProgress& progress) {
  if (share.count(split) == 0) return std::nullopt;
  const Batch batch = share.batch(split, InputUse::kPrediction).to(model.device());
  return Judged(share, batch.rows(forward_alone(model, batch.input, progress)), batch.labels);
}

ModelInput whole_input(const Model& model, const Dataset& data) {
  return ModelInput(data.features, data.graph, InputUse::kPrediction).to(model.device());
}

std::optional<Judged> judge_rows(const Share& share, const at::Tensor& scores, Split split) {
  if (share.count(split) == 0) return std::nullopt;
  const std::vector<NodeId>& nodes = share.nodes(split);
  const at::Tensor rows = at::tensor(nodes, at::kLong).to(scores.device());
  return Judged(share, scores.index_select(0, rows), labels_of(share.data(), nodes).to(scores.device()));
}

}  // namespace

Scores score_by(Protocol protocol, Task task, const at::Tensor& probabilities, const at::Tensor& labels,
                double threshold, const std::vector<std::string>& class_names, Rankings rankings) {
  if (protocol == Protocol::kLabelCount) return score_label_count(probabilities, labels, class_names, rankings);
  return score_predictions(task, probabilities, labels, threshold, class_names, rankings);
}

Judged::Judged(const Share& share, const at::Tensor& scores, const at::Tensor& labels)
    : task_(share.data().task),
      class_names_(share.data().class_names),
      probabilities_(probabilities_of(task_, share.group().all_rows(scores))),
      labels_(share.group().all_rows(labels)) {}

Scores Judged::by(Protocol protocol, double threshold, Rankings rankings) const {
  return score_by(protocol, task_, probabilities_, labels_, threshold, class_names_, rankings);
}

double Judged::tuned_threshold(const std::string& metric) const {
  return best_threshold(task_, probabilities_, labels_, metric);
}

JudgedSplits::JudgedSplits(const Model& model, const Share& share, std::string metric, const ModelInput* whole,
                           Test test, const LayerProgress& progress, std::optional<double> tuned)
    : share_(share), metric_(std::move(metric)), tuned_(tuned) {
  if (share.data().inductive) {
    judging_ = judge_apart(model, share, share.judging(), progress);
    if (test == Test::kWith) test_ = judge_apart(model, share, Split::kTest, progress);
    return;
  }
  const at::Tensor scores =
      forward_alone(model, whole != nullptr ? *whole : whole_input(model, share.data()), progress);
  judging_ = judge_rows(share, scores, share.judging());
  if (test == Test::kWith) test_ = judge_rows(share, scores, Split::kTest);
}

double JudgedSplits::threshold_of(Protocol protocol) const {
  if (protocol != Protocol::kTuned) return kHalf;
  if (tuned_) return *tuned_;
  return judging_ ? judging_->tuned_threshold(metric_) : kHalf;
}

Scores JudgedSplits::judging(Protocol protocol) const {
  return judging_ ? judging_->by(protocol, threshold_of(protocol), Rankings::kWith) : Scores();
}

SplitScores JudgedSplits::by(Protocol protocol) const {
  SplitScores scores;
  scores.protocol = protocol;
  scores.threshold = threshold_of(protocol);
  if (share_.count(Split::kValid) > 0) scores.valid = judging_->by(protocol, scores.threshold, Rankings::kWith);
  if (test_) scores.test = test_->by(protocol, scores.threshold, Rankings::kWith);
  return scores;
}

std::vector<SplitScores> JudgedSplits::by_every_protocol() const {
  if (share_.data().task != Task::kMultiLabel) return {};
  return {by(Protocol::kHalf), by(Protocol::kTuned), by(Protocol::kLabelCount)};
}

double JudgedSplits::threshold(Protocol protocol) const {
  return protocol == Protocol::kHalf ? kHalf : threshold_of(Protocol::kTuned);
}

Scores score_batch(const Model& model, const Share& share, const Batch& batch, Protocol protocol,
                   const std::string& metric, Rankings rankings, const LayerProgress& progress) {
  return score_batch(forward_alone(model, batch.input, progress), share, batch, protocol, metric, rankings);
}

Scores score_batch(const at::Tensor& scores, const Share& share, const Batch& batch, Protocol protocol,
                   const std::string& metric, Rankings rankings) {
  const Judged judged(share, batch.rows(scores), batch.labels);
  return judged.by(protocol, protocol == Protocol::kTuned ? judged.tuned_threshold(metric) : kHalf, rankings);
}

void fail_undefined(const std::string& metric, const Dataset& data) {
  fail(data.name, ": ", metric, " is undefined for the ", data.valid.empty() ? "training" : "validation",
       " nodes, which are all of one class; choose another metric (--metric), or a split with nodes of both");
}

void check_metric(const TrainConfig& config, const Dataset& data) {
  const std::string metric = chosen_metric(config, data);
  if (rankings_for(metric) == Rankings::kWithout) return;
  const at::Tensor labels = labels_of(data, data.valid.empty() ? data.train : data.valid);
  const at::Tensor per_label = labels.dim() == 1 ? labels.unsqueeze(1) : labels;
  if (at::equal(per_label.amin(0), per_label.amax(0))) fail_undefined(metric, data);
}

Rankings rankings_for(const std::string& metric) {
  return metric == "roc_auc" || metric == "average_precision" ? Rankings::kWith : Rankings::kWithout;
}

}  // namespace training

using training::JudgedSplits;

at::Tensor predict(const Model& model, const Dataset& data, const LayerProgress& progress) {
  const at::Tensor scores = training::forward_alone(model, training::whole_input(model, data), progress);
  return training::probabilities_of(data.task, scores).cpu();
}

at::Tensor embed(const Model& model, const Dataset& data, const LayerProgress& progress) {
  const at::NoGradGuard no_grad;
  const at::Tensor rows = model.embed(training::whole_input(model, data), Pass::watched(progress)).contiguous().cpu();
  training::check_rows_finite(rows, "embedding");
  return rows;
}

Scores evaluate(const Model& model, const Dataset& data, const std::vector<NodeId>& nodes) {
  if (nodes.empty()) return {};
  const training::Batch batch = training::split_batch(data, nodes, InputUse::kPrediction).to(model.device());
  return training::score_batch(model, training::Share(data), batch, Protocol::kHalf, "", Rankings::kWith);
}

SplitScores evaluate(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric,
                     const LayerProgress& progress, std::optional<double> tuned) {
  const training::Share share(data);
  return JudgedSplits(model, share, metric, nullptr, JudgedSplits::Test::kWith, progress, tuned).by(protocol);
}

std::vector<SplitScores> evaluate_protocols(const Model& model, const Dataset& data, const std::string& metric,
                                            std::optional<double> tuned) {
  if (data.task != Task::kMultiLabel) return {};
  const training::Share share(data);
  return JudgedSplits(model, share, metric, nullptr, JudgedSplits::Test::kWith, {}, tuned).by_every_protocol();
}

double decision_threshold(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric) {
  if (protocol == Protocol::kHalf || (data.valid.empty() && data.train.empty())) return training::kHalf;
  const training::Share share(data);
  return JudgedSplits(model, share, metric, nullptr, JudgedSplits::Test::kWithout).threshold(protocol);
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
