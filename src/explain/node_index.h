// Numbers nodes 0, 1, 2, ... in the order of their first appearance: an index of a small part of a large graph. If the
// part grows to much of the graph, the hash table becomes a table of all nodes, whose lookups take a third of the time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::explain {

class NodeIndex {
 public:
  // Node ids are below `bound`.
  explicit NodeIndex(NodeId bound = std::numeric_limits<NodeId>::max())
      : bound_(static_cast<size_t>(bound)), slots_(16, -1) {}

  int32_t size() const { return static_cast<int32_t>(nodes_.size()); }
  NodeId operator[](int32_t number) const { return nodes_[static_cast<size_t>(number)]; }
  const std::vector<NodeId>& nodes() const { return nodes_; }

  // The node's number, or -1.
  int32_t find(NodeId node) const { return slots_[slot_of(node)]; }

  // Adds the node if it is new; returns its number, and whether it was new.
  std::pair<int32_t, bool> add(NodeId node) {
    if (nodes_.size() * 2 >= slots_.size() && slots_.size() != bound_) grow();
    int32_t& number = slots_[slot_of(node)];
    if (number >= 0) return {number, false};
    number = size();
    nodes_.push_back(node);
    return {number, true};
  }

  // Renumbers the nodes from `first` on by ascending id, so that visiting them reads a graph's rows in memory order.
  void sort_from(int32_t first) {
    const auto begin = nodes_.begin() + first;
    if (slots_.size() == bound_ && static_cast<size_t>(size() - first) > bound_ / 64) {
      auto next = begin;
      for (size_t node = 0; node < bound_; ++node) {
        if (slots_[node] >= first) *next++ = static_cast<NodeId>(node);
      }
    } else {
      std::sort(begin, nodes_.end());
    }
    for (int32_t n = first; n < size(); ++n) slots_[slot_of((*this)[n])] = n;
  }

 private:
  // Open addressing with linear probing, at most half full; once there is one slot per node id, direct lookup.
  size_t slot_of(NodeId node) const {
    if (slots_.size() == bound_) return static_cast<size_t>(node);
    const size_t mask = slots_.size() - 1;
    size_t at = (static_cast<uint32_t>(node) * 0x9e3779b97f4a7c15ULL >> 20) & mask;
    while (slots_[at] >= 0 && nodes_[static_cast<size_t>(slots_[at])] != node) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(std::min(slots_.size() * 4, bound_), -1);
    for (size_t n = 0; n < nodes_.size(); ++n) slots_[slot_of(nodes_[n])] = static_cast<int32_t>(n);
  }

  size_t bound_;
  std::vector<NodeId> nodes_;
  std::vector<int32_t> slots_;
};

}  // namespace geniepath::explain
