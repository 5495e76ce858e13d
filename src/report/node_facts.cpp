#include "report/node_facts.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace geniepath::report {

std::vector<std::string> class_names(int64_t classes, std::vector<std::string> given) {
  for (int64_t c = std::ssize(given); c < classes; ++c) given.push_back(std::to_string(c));
  return given;
}

NodeFacts::NodeFacts(const Dataset& data, const Explainer& explainer, std::vector<std::string> class_names,
                     double threshold)
    : data_(data), explainer_(explainer),
      decisions_(data.task, report::class_names(data.num_classes, std::move(class_names)), threshold), names_(data),
      splits_(data) {}

SplitNames::SplitNames(const Dataset& data) {
  split_.assign(static_cast<size_t>(data.graph.num_nodes()), 0);
  for (const NodeId node : data.train) split_[static_cast<size_t>(node)] = 1;
  for (const NodeId node : data.valid) split_[static_cast<size_t>(node)] = 2;
  for (const NodeId node : data.test) split_[static_cast<size_t>(node)] = 3;
}

const char* NodeFacts::type(NodeId node) const {
  return data_.type_names.empty() ? nullptr : data_.type_names[data_.node_type[static_cast<size_t>(node)]].c_str();
}

const char* SplitNames::of(NodeId node) const {
  constexpr const char* kNames[] = {nullptr, "train", "valid", "test"};
  return kNames[split_[static_cast<size_t>(node)]];
}

bool NodeFacts::is_true_edge(NodeId source, NodeId target) const {
  return std::ranges::binary_search(data_.true_edges, std::pair(source, target));
}

std::vector<double> NodeFacts::scores(const at::Tensor& probabilities) const {
  const at::Tensor row = probabilities.contiguous();
  return decisions_.scores({row.data_ptr<float>(), static_cast<size_t>(row.numel())});
}

size_t NodeFacts::telling_class(NodeId node) const {
  return data_.task == Task::kBinary ? 1 : largest(scores(node));
}

}  // namespace geniepath::report
