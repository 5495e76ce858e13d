// How good scores are: one number each, and a table by class.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

struct ClassScores {
  std::string name;
  int64_t positives = 0;  // nodes that have the class
  double precision = 0, recall = 0, f1 = 0, roc_auc = 0, average_precision = 0;
};

// Of binary tasks, f1, roc_auc and average_precision are those of the positive class. Of the others f1 is macro_f1
// (multi-class) or micro_f1 (multi-label), and the two ranking scores are means over the classes that have both
// positives and negatives. accuracy is by node; for multi-label tasks by node and label. A ratio without cases is 0.
struct Scores {
  double accuracy = 0, f1 = 0, micro_f1 = 0, macro_f1 = 0, roc_auc = 0, average_precision = 0;
  std::vector<ClassScores> classes;
  bool ranked = true;  // whether roc_auc and average_precision were asked for
  std::map<std::string, double> own;  // of registered metrics

  double by_name(const std::string& metric) const;
  static std::vector<std::string> names();  // registered metrics last
};

// A metric of one's own, from probabilities and labels as score_predictions() takes them; more is better. From then on
// it is computed with every score, and its name is a value of TrainConfig::metric. The name must be new.
using Metric = std::function<double(Task task, const at::Tensor& probabilities, const at::Tensor& labels)>;
void register_metric(const std::string& name, Metric metric);

// How the probabilities of binary and multi-label tasks become decisions.
enum class Protocol {
  kAuto,        // one of the others: as is usual for the data set
  kHalf,        // what is above 0.5
  kTuned,       // what is above one threshold, chosen on the validation nodes
  kLabelCount,  // of each node as many labels as it truly has, the likeliest: DeepWalk's and node2vec's way of scoring
};
template <>
inline constexpr auto kNames<Protocol> = names<Protocol>({{Protocol::kAuto, "auto"},
                                                          {Protocol::kHalf, "0.5"},
                                                          {Protocol::kTuned, "tuned"},
                                                          {Protocol::kLabelCount, "label-count"}});

// Whether to compute the scores of rankings too, which take one sort per class.
enum class Rankings { kWith, kWithout };

// probabilities: [M, C] for multi-class, [M, L] for multi-label, [M, 1] for binary; labels as in Dataset, of the same M
// nodes, on the same device. `threshold` decides binary and multi-label predictions. M may be 0: all scores are 0. A
// probability that is NaN or infinite is an Error, here and below.
Scores score_predictions(Task task, const at::Tensor& probabilities, const at::Tensor& labels, double threshold,
                         const std::vector<std::string>& class_names = {}, Rankings rankings = Rankings::kWith);

// The same for multi-label tasks where each node is given as many labels as it has; ties go to the first label.
Scores score_label_count(const at::Tensor& probabilities, const at::Tensor& labels,
                         const std::vector<std::string>& class_names = {}, Rankings rankings = Rankings::kWith);

// The threshold with the best macro_f1, where that is the metric, else the best F1 over all decisions; among equals the
// highest. Of binary tasks the decisions are about the positive class. 0.5 where there is nothing to choose from.
double best_threshold(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const std::string& metric);

// Area under the ROC curve (ties count half) and average precision of one ranking; 0 without positives or negatives.
double roc_auc(const std::vector<double>& score, const std::vector<bool>& positive);
double average_precision(const std::vector<double>& score, const std::vector<bool>& positive);

}  // namespace geniepath
