// Decisions: from probabilities to classes, by name.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::report {

// Binary and multi-label predictions are the classes that score above the threshold.
class Decisions {
 public:
  // One name per class.
  Decisions(Task task, std::vector<std::string> classes, double threshold);

  const std::vector<std::string>& classes() const { return classes_; }
  double threshold() const { return threshold_; }
  // One score per class, also of the negative one, from a node's row of predict().
  std::vector<double> scores(std::span<const float> probabilities) const;
  std::vector<std::string> predicted(const std::vector<double>& scores) const;
  bool predicts(const std::vector<double>& scores, size_t c) const;  // whether the class is among them
  // Names of a node's labels, from a data set's; none where unknown.
  std::optional<std::vector<std::string>> labels(const at::Tensor& labels, NodeId node) const;

 private:
  bool is_above(double score) const;

  Task task_;
  std::vector<std::string> classes_;
  double threshold_;
};

// The position of the largest score, the first of equal ones.
size_t largest(const std::vector<double>& scores);

}  // namespace geniepath::report
