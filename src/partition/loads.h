// Loads of pieces while nodes are given to them one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "geniepath/dataset.h"
#include "partition/owners.h"

namespace geniepath::partition {

// Nodes that are balanced by themselves: one kind or, of inductive data, graphs with training nodes and the others. The
// data must outlive it.
class Kinds {
 public:
  explicit Kinds(const Dataset& data) : begins_(data.graph.part_begins()), of_part_(begins_.size(), 0) {
    if (!data.inductive) return;
    std::ranges::fill(of_part_, uint8_t{1});
    for (const NodeId node : data.train) of_part_[part_of(node)] = 0;
    count_ = 2;
  }
  size_t count() const { return count_; }
  size_t of(NodeId node) const { return count_ == 1 ? 0 : of_part_[part_of(node)]; }

 private:
  size_t part_of(NodeId node) const {
    return static_cast<size_t>(std::ranges::upper_bound(begins_, node) - begins_.begin() - 1);
  }

  const std::vector<NodeId>& begins_;
  std::vector<uint8_t> of_part_;
  size_t count_ = 1;
};

// All work of one kind of nodes, and the entries of their rows.
struct Total {
  int64_t work = 0, entries = 0;
};

// Loads of all pieces for one kind of nodes.
class Loads {
 public:
  Loads(int64_t pieces, const Total& total)
      : load_(static_cast<size_t>(pieces), 0),
        mean_(static_cast<double>(total.work) / static_cast<double>(pieces)),
        price_(total.work == 0 ? 0 : 0.75 * static_cast<double>(total.entries) / static_cast<double>(total.work)) {
    for (int32_t p = 0; p < pieces; ++p) by_load_.emplace(0, p);
  }

  void add(int32_t piece, int64_t work) {
    int64_t& load = load_[static_cast<size_t>(piece)];
    by_load_.erase({load, piece});
    by_load_.emplace(load += work, piece);
  }
  int32_t lightest() const { return by_load_.begin()->second; }
  bool has_room(int32_t piece, int64_t work) const {
    return static_cast<double>(load_[static_cast<size_t>(piece)] + work) <= kUneven * mean_;
  }
  // Price of a node, in neighbours: the derivative of Fennel's cost of imbalance, with an exponent of 3/2.
  double price(int32_t piece, int64_t work) const {
    return price_ * static_cast<double>(work) *
           std::sqrt(static_cast<double>(load_[static_cast<size_t>(piece)]) / mean_);
  }

 private:
  std::vector<int64_t> load_;
  std::set<std::pair<int64_t, int32_t>> by_load_;
  double mean_, price_;
};

}  // namespace geniepath::partition
