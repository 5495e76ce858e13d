#include "data/transforms/splits.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/random.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr size_t kParts = 4;  // train, valid, test, unused
constexpr uint64_t kShuffle = 0x73706c6974;

using Fractions = std::array<double, kParts>;

Fractions checked(const SplitFractions& f) {
  const double sum = f.train + f.valid + f.test;
  if (!(f.train >= 0 && f.valid >= 0 && f.test >= 0 && sum <= 1 + 1e-9)) {
    fail("split: fractions ", f.train, " + ", f.valid, " + ", f.test, " = ", sum, ", expected at most 1 in all");
  }
  return {f.train, f.valid, f.test, std::max(0.0, 1 - sum)};
}

// The labels of each labelled node; nodes with unknown labels are left out.
struct LabelledNodes {
  std::vector<NodeId> node;
  std::vector<std::vector<int32_t>> labels;
};

bool is_labelled(const Dataset& data, const at::Tensor& labels, int64_t node) {
  if (data.task != Task::kMultiLabel) return labels.data_ptr<int64_t>()[node] >= 0;
  return labels.size(1) == 0 || !std::isnan(labels.data_ptr<float>()[node * labels.size(1)]);
}

std::vector<int32_t> labels_of(const Dataset& data, const at::Tensor& labels, int64_t node) {
  if (data.task != Task::kMultiLabel) return {static_cast<int32_t>(labels.data_ptr<int64_t>()[node])};
  std::vector<int32_t> found;
  const float* row = labels.data_ptr<float>() + node * labels.size(1);
  for (int64_t l = 0; l < labels.size(1); ++l) {
    if (row[l] > 0.5f) found.push_back(static_cast<int32_t>(l));
  }
  return found;
}

LabelledNodes labelled_in_random_order(const Dataset& data, int64_t seed) {
  const at::Tensor labels = data.labels.contiguous();
  LabelledNodes result;
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
    if (is_labelled(data, labels, node)) result.node.push_back(node);
  }
  if (result.node.empty()) fail("split: ", data.name, " has no labelled node");
  shuffle(result.node, Random{static_cast<uint64_t>(seed), kShuffle});
  for (const NodeId node : result.node) result.labels.push_back(labels_of(data, labels, node));
  return result;
}

// Deals nodes to parts: tracks what each part still needs, in total and per label.
class Dealer {
 public:
  Dealer(const LabelledNodes& nodes, int64_t num_labels, std::span<const double> fractions)
      : nodes_(nodes),
        holders_(static_cast<size_t>(num_labels)),
        left_(holders_.size(), 0),
        part_(nodes.node.size(), kNoPart),
        lacks_(fractions.size()),
        lacks_label_(fractions.size()) {
    for (size_t i = 0; i < nodes.node.size(); ++i) {
      for (const int32_t label : nodes.labels[i]) holders_[static_cast<size_t>(label)].push_back(i);
    }
    for (size_t p = 0; p < fractions.size(); ++p) {
      lacks_[p] = fractions[p] * static_cast<double>(nodes.node.size());
      for (const auto& list : holders_) lacks_label_[p].push_back(fractions[p] * static_cast<double>(list.size()));
    }
    for (size_t l = 0; l < holders_.size(); ++l) left_[l] = static_cast<int64_t>(holders_[l].size());
  }

  std::vector<size_t> deal() {
    for (int64_t label = rarest(); label >= 0; label = rarest()) {
      const auto l = static_cast<size_t>(label);
      for (const size_t i : holders_[l]) {
        if (part_[i] == kNoPart) give(i, neediest([&](size_t p) { return std::pair(lacks_label_[p][l], lacks_[p]); }));
      }
    }
    for (size_t i = 0; i < part_.size(); ++i) {  // nodes without any label
      if (part_[i] == kNoPart) give(i, neediest([&](size_t p) { return std::pair(lacks_[p], 0.0); }));
    }
    return part_;
  }

 private:
  int64_t rarest() const {
    int64_t best = -1;
    for (size_t l = 0; l < left_.size(); ++l) {
      if (left_[l] > 0 && (best < 0 || left_[l] < left_[static_cast<size_t>(best)])) best = static_cast<int64_t>(l);
    }
    return best;
  }

  template <class Need>
  size_t neediest(const Need& need) const {
    size_t best = 0;
    for (size_t p = 1; p < lacks_.size(); ++p) {
      if (need(p) > need(best)) best = p;
    }
    return best;
  }

  void give(size_t i, size_t part) {
    part_[i] = part;
    lacks_[part] -= 1;
    for (const int32_t label : nodes_.labels[i]) {
      lacks_label_[part][static_cast<size_t>(label)] -= 1;
      --left_[static_cast<size_t>(label)];
    }
  }

  const LabelledNodes& nodes_;
  std::vector<std::vector<size_t>> holders_;  // of each label
  std::vector<int64_t> left_;                 // holders not yet dealt, per label
  std::vector<size_t> part_;
  static constexpr size_t kNoPart = std::numeric_limits<size_t>::max();
  std::vector<double> lacks_;  // per part
  std::vector<std::vector<double>> lacks_label_;
};

void assign(Dataset& data, const std::vector<NodeId>& nodes, const std::vector<size_t>& part) {
  std::array<std::vector<NodeId>, kParts> lists;
  for (size_t i = 0; i < nodes.size(); ++i) lists[part[i]].push_back(nodes[i]);
  for (auto& list : lists) std::sort(list.begin(), list.end());
  data.train = std::move(lists[0]);
  data.valid = std::move(lists[1]);
  data.test = std::move(lists[2]);
}

}  // namespace

void split_at_random(Dataset& data, const SplitFractions& fractions, int64_t seed) {
  const Fractions share = checked(fractions);
  const LabelledNodes nodes = labelled_in_random_order(data, seed);
  std::vector<size_t> part(nodes.node.size(), kParts - 1);
  double upto = 0;
  size_t begin = 0;
  for (size_t p = 0; p + 1 < kParts; ++p) {
    upto += share[p];
    const auto end = std::min(part.size(), static_cast<size_t>(std::llround(upto * static_cast<double>(part.size()))));
    std::fill(part.begin() + static_cast<std::ptrdiff_t>(begin), part.begin() + static_cast<std::ptrdiff_t>(end), p);
    begin = end;
  }
  assign(data, nodes.node, part);
}

void split_stratified(Dataset& data, const SplitFractions& fractions, int64_t seed) {
  const Fractions share = checked(fractions);
  const LabelledNodes nodes = labelled_in_random_order(data, seed);
  assign(data, nodes.node, Dealer(nodes, data.num_classes, share).deal());
}

void split_into_folds(Dataset& data, int64_t folds, int64_t fold, int64_t seed) {
  if (fold > folds) fail("split: fold ", fold, " of ", folds);
  const LabelledNodes nodes = labelled_in_random_order(data, seed);
  const std::vector<double> shares(static_cast<size_t>(folds), 1 / static_cast<double>(folds));
  std::vector<size_t> part = Dealer(nodes, data.num_classes, shares).deal();
  const auto test = static_cast<size_t>(fold - 1), valid = static_cast<size_t>(fold % folds);
  for (size_t& p : part) p = p == test ? 2 : p == valid ? 1 : 0;
  assign(data, nodes.node, part);
}

void draw_split(Dataset& data, const TransformOptions& options) {
  if (options.split == SplitKind::kGiven) return;
  if (data.inductive) {
    fail("split: ", data.name, " is split by whole graphs, some unseen while training; expected given, found ",
         to_string(options.split));
  }
  if (options.split == SplitKind::kFolds)
    return split_into_folds(data, options.folds, options.fold, options.split_seed);
  const SplitFractions fractions{options.train_fraction, options.valid_fraction, options.test_fraction};
  (options.split == SplitKind::kRandom ? split_at_random : split_stratified)(data, fractions, options.split_seed);
}

SplitKind applied_split(const Dataset& raw, SplitKind chosen) {
  const bool has_split = !raw.train.empty() || !raw.valid.empty() || !raw.test.empty();
  return chosen == SplitKind::kGiven && !has_split ? SplitKind::kStratified : chosen;
}

bool has_labelled_node(const Dataset& data) {
  const at::Tensor labels = data.labels.contiguous();
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
    if (is_labelled(data, labels, node)) return true;
  }
  return false;
}

}  // namespace geniepath
