// Attributes of nodes in the data's own terms: ids, kinds, labels and predictions.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node_names.h"
#include "geniepath/dataset.h"
#include "geniepath/explain.h"
#include "report/decisions.h"

namespace geniepath::report {

// One name per class: those given, then numbers.
std::vector<std::string> class_names(int64_t classes, std::vector<std::string> given);

// The split that each node is in.
class SplitNames {
 public:
  explicit SplitNames(const Dataset& data);
  const char* of(NodeId node) const;  // "train", "valid", "test", or null

 private:
  std::vector<uint8_t> split_;
};

class NodeFacts {
 public:
  // Both must outlive this. Binary and multi-label predictions are the classes that score above the threshold.
  NodeFacts(const Dataset& data, const Explainer& explainer, std::vector<std::string> class_names,
            double threshold = 0.5);

  const Dataset& data() const { return data_; }
  std::optional<NodeId> find(std::string_view id) const { return names_.find(id); }
  std::string id(NodeId node) const { return data_.node_name(node); }
  const char* type(NodeId node) const;   // null if the data has one kind
  const char* split(NodeId node) const { return splits_.of(node); }  // "train", "valid", "test", or null
  int64_t degree(NodeId node) const { return explainer_.degree(node); }
  std::optional<std::vector<std::string>> labels(NodeId node) const { return decisions_.labels(data_.labels, node); }
  bool is_true_edge(NodeId source, NodeId target) const;  // false where the true edges are unknown

  const Decisions& decisions() const { return decisions_; }
  const std::vector<std::string>& classes() const { return decisions_.classes(); }
  double threshold() const { return decisions_.threshold(); }
  // One score per class, also of the negative one, from probabilities of predict() [outputs].
  std::vector<double> scores(const at::Tensor& probabilities) const;
  std::vector<double> scores(NodeId node) const { return scores(explainer_.probabilities()[node]); }
  std::vector<std::string> predicted(const std::vector<double>& scores) const { return decisions_.predicted(scores); }
  bool predicts(const std::vector<double>& scores, size_t c) const { return decisions_.predicts(scores, c); }
  // The class to show for a node: the positive one in binary tasks, else the most probable one.
  size_t telling_class(NodeId node) const;

 private:
  const Dataset& data_;
  const Explainer& explainer_;
  Decisions decisions_;
  NodeNames names_;
  SplitNames splits_;
};

}  // namespace geniepath::report
