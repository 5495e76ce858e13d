// Nodes numbered 0, 1, 2, ... in the order they are first met: the small side of a large graph.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::explain {

class NodeIndex {
 public:
  NodeIndex() : slots_(16, -1) {}

  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }
  NodeId operator[](int32_t number) const { return nodes_[static_cast<size_t>(number)]; }
  const std::vector<NodeId>& nodes() const { return nodes_; }

  // The node's number, or -1.
  int32_t find(NodeId node) const { return slots_[slot_of(node)]; }

  // The node's number, and whether it is new.
  std::pair<int32_t, bool> add(NodeId node) {
    if (nodes_.size() * 2 >= slots_.size()) grow();
    int32_t& number = slots_[slot_of(node)];
    if (number >= 0) return {number, false};
    number = size();
    nodes_.push_back(node);
    return {number, true};
  }

 private:
  // Open addressing with linear probing; at most half of the slots are taken.
  size_t slot_of(NodeId node) const {
    const size_t mask = slots_.size() - 1;
    size_t at = (static_cast<uint32_t>(node) * 0x9e3779b97f4a7c15ULL >> 20) & mask;
    while (slots_[at] >= 0 && nodes_[static_cast<size_t>(slots_[at])] != node) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(slots_.size() * 4, -1);
    for (size_t n = 0; n < nodes_.size(); ++n) slots_[slot_of(nodes_[n])] = static_cast<int32_t>(n);
  }

  std::vector<NodeId> nodes_;
  std::vector<int32_t> slots_;
};

}  // namespace geniepath::explain
