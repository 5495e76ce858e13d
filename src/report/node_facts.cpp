#include "report/node_facts.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace geniepath::report {
namespace {

size_t largest(const std::vector<double>& scores) {
  return static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace

std::vector<std::string> class_names(const Dataset& data, std::vector<std::string> given) {
  for (int64_t c = std::ssize(given); c < data.num_classes; ++c) given.push_back(std::to_string(c));
  return given;
}

NodeFacts::NodeFacts(const Dataset& data, const Explainer& explainer, std::vector<std::string> class_names, double threshold)
    : data_(data),
      explainer_(explainer),
      class_names_(report::class_names(data, std::move(class_names))),
      threshold_(threshold) {
  for (const std::string& name : data.node_names) ids_.add(name);
  split_.assign(static_cast<size_t>(data.graph.num_nodes()), 0);
  for (const NodeId node : data.train) split_[static_cast<size_t>(node)] = 1;
  for (const NodeId node : data.valid) split_[static_cast<size_t>(node)] = 2;
  for (const NodeId node : data.test) split_[static_cast<size_t>(node)] = 3;
}

std::optional<NodeId> NodeFacts::find(std::string_view id) const {
  if (!data_.node_names.empty()) {
    const int32_t number = ids_.find(id);
    return number < 0 ? std::nullopt : std::optional<NodeId>(number);
  }
  NodeId node = 0;
  const auto [end, problem] = std::from_chars(id.data(), id.data() + id.size(), node);
  const bool whole = problem == std::errc() && end == id.data() + id.size();
  if (!whole || node < 0 || node >= data_.graph.num_nodes() || id != std::to_string(node)) return std::nullopt;
  return node;
}

const char* NodeFacts::type(NodeId node) const {
  return data_.type_names.empty() ? nullptr : data_.type_names[data_.node_type[static_cast<size_t>(node)]].c_str();
}

const char* NodeFacts::split(NodeId node) const {
  constexpr const char* kNames[] = {nullptr, "train", "valid", "test"};
  return kNames[split_[static_cast<size_t>(node)]];
}

bool NodeFacts::is_true_edge(NodeId source, NodeId target) const {
  return std::ranges::binary_search(data_.true_edges, std::pair(source, target));
}

std::optional<std::vector<std::string>> NodeFacts::labels(NodeId node) const {
  std::vector<std::string> names;
  if (data_.task == Task::kMultiLabel) {
    const at::Tensor row = data_.labels[node].contiguous();
    const auto* has = row.data_ptr<float>();
    if (row.numel() > 0 && std::isnan(has[0])) return std::nullopt;
    for (int64_t c = 0; c < row.numel(); ++c) {
      if (has[c] > 0.5f) names.push_back(class_names_[static_cast<size_t>(c)]);
    }
    return names;
  }
  const auto label = data_.labels[node].item<int64_t>();
  if (label < 0) return std::nullopt;
  return std::vector<std::string>{class_names_[static_cast<size_t>(label)]};
}

std::vector<double> NodeFacts::scores(const at::Tensor& probabilities) const {
  const at::Tensor row = probabilities.to(at::kDouble).contiguous();
  const auto* values = row.data_ptr<double>();
  if (data_.task == Task::kBinary) return {1 - values[0], values[0]};
  return {values, values + row.numel()};
}

std::vector<std::string> NodeFacts::predicted(const std::vector<double>& scores) const {
  if (data_.task == Task::kBinary) return {class_names_[scores[1] > threshold_ ? 1 : 0]};
  if (data_.task == Task::kMultiClass) return {class_names_[largest(scores)]};
  std::vector<std::string> names;
  for (size_t c = 0; c < scores.size(); ++c) {
    if (scores[c] > threshold_) names.push_back(class_names_[c]);
  }
  return names;
}

size_t NodeFacts::telling_class(NodeId node) const {
  return data_.task == Task::kBinary ? 1 : largest(scores(node));
}

}  // namespace geniepath::report
