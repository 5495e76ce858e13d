#include "training/batch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace geniepath::training {

at::Tensor Batch::rows(const at::Tensor& of_input) const { return all ? of_input : of_input.index_select(0, nodes); }

at::Tensor labels_of(const Dataset& data, const std::vector<NodeId>& nodes) {
  return data.labels.index_select(0, at::tensor(nodes, at::kLong));
}

Batch with_nodes(ModelInput input, const std::vector<NodeId>& rows, at::Tensor labels) {
  bool all = static_cast<int64_t>(rows.size()) == input.graph.num_nodes();
  for (size_t n = 0; n < rows.size() && all; ++n) all = rows[n] == static_cast<NodeId>(n);
  const at::Device device = input.graph.in_offset.device();
  return {std::move(input), at::tensor(rows, at::kLong).to(device), labels.to(device), all};
}

Batch with_nodes(const ModelInput& whole, const Dataset& data, const std::vector<NodeId>& nodes) {
  return with_nodes(whole, nodes, labels_of(data, nodes));
}

Batch whole_batch(const Dataset& data, const std::vector<NodeId>& nodes, InputUse use) {
  return with_nodes(ModelInput(data.features, data.graph, use), data, nodes);
}

Batch parts_batch(const Dataset& data, const std::vector<int64_t>& parts, const std::vector<NodeId>& nodes,
                  InputUse use) {
  std::vector<NodeId> rows, chosen, originals;
  std::vector<NodeId> sorted = nodes;
  std::sort(sorted.begin(), sorted.end());
  for (const int64_t part : parts) {
    const NodeId first = data.graph.part_begin(part), last = data.graph.part_begin(part + 1);
    const auto shift = static_cast<NodeId>(rows.size()) - first;
    for (NodeId node = first; node < last; ++node) rows.push_back(node);
    const auto begin = std::lower_bound(sorted.begin(), sorted.end(), first);
    const auto end = std::lower_bound(begin, sorted.end(), last);
    for (auto node = begin; node != end; ++node) chosen.push_back(*node + shift), originals.push_back(*node);
  }
  return with_nodes(ModelInput(data.features.select_rows(rows), data.graph.select(parts), use), chosen,
                    labels_of(data, originals));
}

std::vector<int64_t> parts_with(const Dataset& data, const std::vector<NodeId>& nodes) {
  std::set<int64_t> parts;
  for (const NodeId node : nodes) parts.insert(data.graph.part_of(node));
  return {parts.begin(), parts.end()};
}

Batch split_batch(const Dataset& data, const std::vector<NodeId>& nodes, InputUse use) {
  return data.inductive ? parts_batch(data, parts_with(data, nodes), nodes, use) : whole_batch(data, nodes, use);
}

}  // namespace geniepath::training
