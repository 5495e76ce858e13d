#include "walk/negative_table.h"

#include <cmath>
#include <numeric>

namespace geniepath::walk {
namespace {

std::vector<NodeId> all_nodes(const Graph& graph) {
  std::vector<NodeId> nodes(static_cast<size_t>(graph.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

}  // namespace

NegativeTable::NegativeTable(const Graph& graph) : NegativeTable(graph, all_nodes(graph), {0, graph.num_nodes()}) {}

NegativeTable::NegativeTable(const Graph& graph, std::vector<NodeId> nodes, std::vector<int64_t> part_begin)
    : node_(std::move(nodes)), part_begin_(std::move(part_begin)), keep_(node_.size()), alias_(node_.size()) {
  const Adjacency& out = graph.outgoing();
  for (size_t part = 0; part + 1 < part_begin_.size(); ++part) {
    std::vector<double> weight;
    double sum = 0;
    for (int64_t n = part_begin_[part]; n < part_begin_[part + 1]; ++n) {
      weight.push_back(std::pow(static_cast<double>(out.degree(node_[static_cast<size_t>(n)])), 0.75));
      sum += weight.back();
    }
    const auto count = static_cast<double>(weight.size());
    for (double& w : weight) w = sum > 0 ? w * count / sum : 1.0;
    fill(part_begin_[part], part_begin_[part + 1], std::move(weight));
  }
}

// Walker's alias table, filled by Vose's method: slots below their share are topped up by candidates above theirs.
void NegativeTable::fill(int64_t begin, int64_t end, std::vector<double> weight) {
  std::vector<int32_t> low, high;
  for (int32_t s = 0; s < static_cast<int32_t>(end - begin); ++s) {
    (weight[static_cast<size_t>(s)] < 1 ? low : high).push_back(s);
  }
  const auto set = [&](int32_t slot, double share, int32_t other) {
    const auto at = static_cast<size_t>(begin + slot);
    keep_[at] = static_cast<uint32_t>(std::min(share * 0x1.0p32, 0x1.0p32 - 1));
    alias_[at] = other;
  };
  while (!low.empty() && !high.empty()) {
    const int32_t small = low.back(), large = high.back();
    low.pop_back();
    set(small, weight[static_cast<size_t>(small)], large);
    double& rest = weight[static_cast<size_t>(large)];
    rest -= 1 - weight[static_cast<size_t>(small)];
    if (rest < 1) high.pop_back(), low.push_back(large);
  }
  for (const std::vector<int32_t>& left : {low, high}) {  // left by rounding: all of these are at their share
    for (const int32_t slot : left) set(slot, 1, slot);
  }
}

kernels::AliasSampler NegativeTable::sampler(int64_t part) const {
  const auto begin = static_cast<size_t>(part_begin_[static_cast<size_t>(part)]);
  const int64_t count = part_begin_[static_cast<size_t>(part) + 1] - part_begin_[static_cast<size_t>(part)];
  return {count, node_.data() + begin, keep_.data() + begin, alias_.data() + begin};
}

}  // namespace geniepath::walk
