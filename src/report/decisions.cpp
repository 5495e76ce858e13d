#include "report/decisions.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace geniepath::report {

Decisions::Decisions(Task task, std::vector<std::string> classes, double threshold)
    : task_(task), classes_(std::move(classes)), threshold_(threshold) {}

std::vector<double> Decisions::scores(std::span<const float> probabilities) const {
  if (task_ == Task::kBinary) return {1 - static_cast<double>(probabilities[0]), probabilities[0]};
  return {probabilities.begin(), probabilities.end()};
}

// Compares in f32, as the scores of training do.
bool Decisions::is_above(double score) const { return static_cast<float>(score) > static_cast<float>(threshold_); }

bool Decisions::predicts(const std::vector<double>& scores, size_t c) const {
  if (task_ == Task::kBinary) return is_above(scores[1]) == (c == 1);
  return task_ == Task::kMultiClass ? largest(scores) == c : is_above(scores[c]);
}

std::vector<std::string> Decisions::predicted(const std::vector<double>& scores) const {
  if (task_ == Task::kBinary) return {classes_[is_above(scores[1]) ? 1 : 0]};
  if (task_ == Task::kMultiClass) return {classes_[largest(scores)]};
  std::vector<std::string> names;
  for (size_t c = 0; c < scores.size(); ++c) {
    if (is_above(scores[c])) names.push_back(classes_[c]);
  }
  return names;
}

std::optional<std::vector<std::string>> Decisions::labels(const at::Tensor& labels, NodeId node) const {
  const at::Tensor all = labels.contiguous();
  if (task_ != Task::kMultiLabel) {
    const int64_t label = all.data_ptr<int64_t>()[node];
    if (label < 0) return std::nullopt;
    return std::vector<std::string>{classes_[static_cast<size_t>(label)]};
  }
  const int64_t width = all.size(1);
  const float* has = all.data_ptr<float>() + node * width;
  if (width > 0 && std::isnan(has[0])) return std::nullopt;
  std::vector<std::string> names;
  for (int64_t c = 0; c < width; ++c) {
    if (has[c] > 0.5f) names.push_back(classes_[static_cast<size_t>(c)]);
  }
  return names;
}

size_t largest(const std::vector<double>& scores) {
  return static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace geniepath::report
