#include "training/length_accuracy.h"

#include <ATen/ATen.h>

#include <map>

#include "geniepath/metrics.h"
#include "training/batch.h"

namespace geniepath::training {

std::vector<LengthAccuracy> accuracy_by_length(const Dataset& data, const at::Tensor& probabilities, double threshold) {
  if (data.path_length.empty()) return {};
  std::map<int64_t, std::vector<NodeId>> nodes;
  for (const NodeId node : data.test) nodes[data.path_length[static_cast<size_t>(node)]].push_back(node);
  std::vector<LengthAccuracy> out;
  for (const auto& [length, of_length] : nodes) {
    const at::Tensor p = probabilities.index_select(0, at::tensor(of_length, at::kLong));
    const Scores scores =
        score_predictions(data.task, p, labels_of(data, of_length), threshold, data.class_names, Rankings::kWithout);
    out.push_back({length, std::ssize(of_length), scores.accuracy});
  }
  return out;
}

}  // namespace geniepath::training
