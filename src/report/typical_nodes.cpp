#include "report/typical_nodes.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "base/random.h"

namespace geniepath::report {
namespace {

constexpr size_t kMostCompared = 10000;
constexpr int kHistogramBins = 20;
constexpr uint64_t kComparedSeed = 1;

std::vector<NodeId> nodes_of_type(const Dataset& data, size_t type) {
  const auto is_of_type = [&](NodeId node) {
    return data.node_type.empty() || data.node_type[static_cast<size_t>(node)] == type;
  };
  std::vector<NodeId> nodes;
  std::ranges::copy_if(data.train, std::back_inserter(nodes), is_of_type);
  if (nodes.empty()) {
    nodes.resize(static_cast<size_t>(data.graph.num_nodes()));
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    std::erase_if(nodes, [&](NodeId node) { return !is_of_type(node); });
  }
  shuffle(nodes, Random{kComparedSeed});
  nodes.resize(std::min(nodes.size(), kMostCompared));
  return nodes;
}

// Visits the features of a row that are not zero.
template <class Visit>
void for_nonzeros(const Features& features, int64_t row, const Visit& visit) {
  if (features.is_sparse()) {
    const SparseMatrix& x = features.sparse();
    for (int64_t at = x.offset[row]; at < x.offset[row + 1]; ++at) {
      if (x.value[at] != 0) visit(x.column[at], x.value[at]);
    }
    return;
  }
  const int64_t width = features.num_features();
  const float* x = features.dense().data_ptr<float>() + row * width;
  for (int64_t f = 0; f < width; ++f) {
    if (x[f] != 0) visit(f, x[f]);
  }
}

at::Tensor mean_of(const Features& features) {
  at::Tensor sum = at::zeros({features.num_features()}, at::kDouble);
  auto* total = sum.data_ptr<double>();
  for (int64_t row = 0; row < features.num_nodes(); ++row) {
    for_nonzeros(features, row, [&](int64_t feature, float value) { total[feature] += value; });
  }
  return (sum / std::max<int64_t>(features.num_nodes(), 1)).to(at::kFloat);
}

Features contiguous(const Features& features) {
  return features.is_sparse() ? features : Features(features.dense().contiguous());
}

}  // namespace

TypicalNodes::TypicalNodes(const Dataset& data, const TableCells& cells) : type_(data.node_type) {
  for (size_t type = 0; type < std::max<size_t>(data.type_names.size(), 1); ++type) {
    groups_.push_back(group_of(data, cells, nodes_of_type(data, type)));
  }
}

TypicalNodes::Group TypicalNodes::group_of(const Dataset& data, const TableCells& cells, std::vector<NodeId> nodes) {
  Group group;
  group.count = std::ssize(nodes);
  group.mean = mean_of(contiguous(data.features.select_rows(nodes)));
  if (cells.columns().empty()) return group;
  std::map<int64_t, int64_t> marked;  // mark -> feature
  for (const FeatureColumn& column : cells.columns()) {
    if (column.mark >= 0) marked[column.mark] = column.first;
  }
  const Features raw = contiguous(cells.features().select_rows(nodes));
  group.values.resize(static_cast<size_t>(raw.num_features()));
  for (Values& values : group.values) values.count = group.count;
  for (int64_t row = 0; row < raw.num_nodes(); ++row) {
    std::set<int64_t> empty;
    for_nonzeros(raw, row, [&](int64_t feature, float) {
      if (marked.contains(feature)) empty.insert(marked.at(feature));
    });
    for (const int64_t feature : empty) --group.values[static_cast<size_t>(feature)].count;
    for_nonzeros(raw, row, [&](int64_t feature, float value) {
      if (!empty.contains(feature)) group.values[static_cast<size_t>(feature)].nonzero.push_back(value);
    });
  }
  for (Values& values : group.values) std::ranges::sort(values.nonzero);
  return group;
}

int64_t TypicalNodes::Values::below(float number) const {
  const auto less = std::ranges::lower_bound(nonzero, number) - nonzero.begin();
  return less + (number > 0 ? count - std::ssize(nonzero) : 0);
}

int64_t TypicalNodes::Values::equal(float number) const {
  if (number == 0) return count - std::ssize(nonzero);
  const auto [first, last] = std::equal_range(nonzero.begin(), nonzero.end(), number);
  return last - first;
}

float TypicalNodes::Values::quantile(double share) const {
  const auto place = static_cast<int64_t>(share * static_cast<double>(count - 1));
  const int64_t negative = below(0), zeros = equal(0);
  if (place < negative) return nonzero[static_cast<size_t>(place)];
  return place < negative + zeros ? 0 : nonzero[static_cast<size_t>(place - zeros)];
}

Histogram TypicalNodes::histogram(NodeId like, const FeatureColumn& column) const {
  const Values& values = of(like).values[static_cast<size_t>(column.first)];
  if (values.count <= 0) return {};
  Histogram out{values.quantile(0.01), values.quantile(0.99), values.quantile(0.5),
                std::vector<int64_t>(kHistogramBins)};
  if (out.low == out.high) out.low -= 0.5, out.high += 0.5;
  const auto add = [&](double value, int64_t count) {
    const double bin = std::floor((value - out.low) / (out.high - out.low) * kHistogramBins);
    out.counts[static_cast<size_t>(std::clamp(bin, 0.0, kHistogramBins - 1.0))] += count;
  };
  for (const float value : values.nonzero) add(value, 1);
  if (values.equal(0) > 0) add(0, values.equal(0));
  return out;
}

Rank TypicalNodes::rank(NodeId like, const FeatureColumn& column, float number) const {
  const Values& values = of(like).values[static_cast<size_t>(column.first)];
  if (values.count <= 0) return {0, 1};
  const auto count = static_cast<double>(values.count);
  return {static_cast<double>(values.below(number)) / count, static_cast<double>(values.equal(number)) / count};
}

std::vector<double> TypicalNodes::shares(NodeId like, const FeatureColumn& column) const {
  const Group& group = of(like);
  std::vector<double> out;
  for (int64_t c = 0; c < column.size(); ++c) {
    const auto with = static_cast<double>(group.values[static_cast<size_t>(column.first + c)].nonzero.size());
    out.push_back(with / static_cast<double>(std::max<int64_t>(group.count, 1)));
  }
  return out;
}

}  // namespace geniepath::report
