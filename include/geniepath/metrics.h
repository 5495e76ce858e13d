// Metrics of predictions: overall, and per class.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

// An undefined score: without nodes, or for a ranking of nodes that are all of one class. Shown as "–"; null in JSON.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct ClassScores {
  std::string name;
  int64_t positives = 0;  // nodes of the class
  double precision = 0, recall = 0, f1 = 0, roc_auc = kUndefined, average_precision = kUndefined;
};

// In binary tasks, f1, roc_auc and average_precision are those of the positive class. In the others f1 is macro_f1
// (multi-class) or micro_f1 (multi-label), and the two ranking scores are means over the classes that have both
// positives and negatives. accuracy is per node, in multi-label tasks per node and label. A precision, recall or F1 of
// 0 / 0 is 0.
struct Scores {
  double accuracy = kUndefined, f1 = kUndefined, micro_f1 = kUndefined, macro_f1 = kUndefined, roc_auc = kUndefined,
         average_precision = kUndefined;
  std::vector<ClassScores> classes;
  bool ranked = true;  // whether roc_auc and average_precision were computed
  std::map<std::string, double> own;  // registered metrics

  double by_name(const std::string& metric) const;  // an unknown name is an Error that lists all
  static std::vector<std::string> names();  // registered metrics last
};

// Registers a metric, computed from probabilities and labels as in score_predictions(); higher is better. From then on
// it is computed with every Scores, and its name is a value of TrainConfig::metric. A name in use is an Error, as is a
// NaN that the metric returns. Safe to call from any thread.
using Metric = std::function<double(Task task, const at::Tensor& probabilities, const at::Tensor& labels)>;
void register_metric(const std::string& name, Metric metric);

// How the probabilities of binary and multi-label tasks become decisions.
enum class Protocol {
  kAuto,        // the data set's usual one of the others
  kHalf,        // above 0.5
  kTuned,       // above one threshold, chosen on the validation nodes
  kLabelCount,  // the likeliest labels of each node, as many as it truly has: the protocol of DeepWalk and node2vec
};
template <>
inline constexpr auto kNames<Protocol> = names<Protocol>({{Protocol::kAuto, "auto"},
                                                          {Protocol::kHalf, "0.5"},
                                                          {Protocol::kTuned, "tuned"},
                                                          {Protocol::kLabelCount, "label-count"}});

// How a run decides and scores.
struct ScoringRule {
  double threshold = 0.5;               // of binary and multi-label decisions
  Protocol protocol = Protocol::kHalf;  // of scores; by kLabelCount, the threshold does not matter for them
  std::string metric = {};              // empty: the data's
};

// Whether to compute roc_auc and average_precision, which take one sort per class.
enum class Rankings { kWith, kWithout };

// probabilities: [M, C] for multi-class, [M, L] for multi-label, [M, 1] for binary; labels: as in Dataset, of the same
// M nodes and on the same device. Binary and multi-label predictions are the probabilities above `threshold`. If M is
// 0, all scores are undefined. A NaN or infinite probability is an Error, here and below.
Scores score_predictions(Task task, const at::Tensor& probabilities, const at::Tensor& labels, double threshold,
                         const std::vector<std::string>& class_names = {}, Rankings rankings = Rankings::kWith);

// The same for multi-label tasks by Protocol::kLabelCount; ties go to the first label.
Scores score_label_count(const at::Tensor& probabilities, const at::Tensor& labels,
                         const std::vector<std::string>& class_names = {}, Rankings rankings = Rankings::kWith);

// The threshold with the best macro_f1 if that is the metric, else with the best F1 over all decisions; the highest on
// ties. In binary tasks the decisions are those about the positive class. 0.5 where there is nothing to choose from.
double best_threshold(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const std::string& metric);

// Area under the ROC curve (ties count half) and average precision of one ranking; undefined without positives or
// without negatives.
double roc_auc(const std::vector<double>& score, const std::vector<bool>& positive);
double average_precision(const std::vector<double>& score, const std::vector<bool>& positive);

}  // namespace geniepath
