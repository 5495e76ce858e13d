// Scores of a model's predictions on some nodes.
#pragma once

#include <optional>

#include "geniepath/train.h"
#include "training/share.h"

namespace geniepath::training {

// The threshold matters for kHalf and kTuned.
Scores score_by(Protocol protocol, Task task, const at::Tensor& probabilities, const at::Tensor& labels,
                double threshold, const std::vector<std::string>& class_names, Rankings rankings);

// Predictions and labels of a batch's nodes, of all processes: each has them all, and scores them alike.
class Judged {
 public:
  Judged(const Share& share, const at::Tensor& scores, const at::Tensor& labels);
  Scores by(Protocol protocol, double threshold, Rankings rankings) const;
  double tuned_threshold(const std::string& metric) const;

 private:
  Task task_;
  std::vector<std::string> class_names_;
  at::Tensor probabilities_, labels_;
};

// Both splits, each predicted once.
class JudgedSplits {
 public:
  enum class Test { kWith, kWithout };
  // `whole`: the input of all nodes, if there is one already; used where data is not inductive. `share` must outlive
  // it. `tuned`: the tuned threshold, if it was chosen before.
  JudgedSplits(const Model& model, const Share& share, std::string metric, const ModelInput* whole = nullptr,
               Test test = Test::kWith, const LayerProgress& progress = {}, std::optional<double> tuned = {});

  Scores judging(Protocol protocol) const;  // of the judging nodes
  SplitScores by(Protocol protocol) const;
  std::vector<SplitScores> by_every_protocol() const;  // empty unless the task is multi-label
  double threshold(Protocol protocol) const;           // as decision_threshold()

 private:
  double threshold_of(Protocol protocol) const;

  const Share& share_;
  std::string metric_;
  std::optional<double> tuned_;
  std::optional<Judged> judging_, test_;  // without nodes, none
};

// Scores of a batch; Protocol::kTuned chooses the threshold on the batch itself.
Scores score_batch(const Model& model, const Share& share, const Batch& batch, Protocol protocol,
                   const std::string& metric, Rankings rankings, const LayerProgress& progress = {});
// The same from the model's scores of the whole input, [N, outputs].
Scores score_batch(const at::Tensor& scores, const Share& share, const Batch& batch, Protocol protocol,
                   const std::string& metric, Rankings rankings);

// A ranking of nodes that are all of one class is no measure: an Error if that is the metric, and they choose the best
// epoch.
void check_metric(const TrainConfig& config, const Dataset& data);
[[noreturn]] void fail_undefined(const std::string& metric, const Dataset& data);

// Rankings needed every epoch: their sorts are worth it only if a ranking score selects the best epoch.
Rankings rankings_for(const std::string& metric);

}  // namespace geniepath::training
