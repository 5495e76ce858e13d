#include "geniepath/dataset.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/parallel.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

void check_names(const Dataset& data) {
  const auto& names = data.node_names;
  if (names.empty()) return;
  if (std::ssize(names) != data.graph.num_nodes()) {
    fail(data.name, ": ", names.size(), " node names, expected ", data.graph.num_nodes(), " or none");
  }
  std::unordered_map<std::string_view, size_t> node_called;
  node_called.reserve(names.size());
  for (size_t node = 0; node < names.size(); ++node) {
    const auto [first, added] = node_called.emplace(names[node], node);
    if (!added) {
      fail(data.name, ": nodes ", first->second, " and ", node, " are both called '", names[node],
           "', expected unique names");
    }
  }
}

// The size if all are finite. A piece is first tested as a whole, without a branch per value.
int64_t first_not_finite(std::span<const float> values) {
  constexpr int64_t kPiece = int64_t{1} << 12;
  const auto count = std::ssize(values);
  const auto piece = [&](int64_t number) {
    return values.subspan(static_cast<size_t>(number * kPiece),
                          static_cast<size_t>(std::min(kPiece, count - number * kPiece)));
  };
  const int64_t found = first_in_parallel((count + kPiece - 1) / kPiece, /*grain=*/16, [&](int64_t number) {
    bool finite = true;
    for (const float value : piece(number)) finite &= std::abs(value) <= std::numeric_limits<float>::max();
    return !finite;
  });
  if (found * kPiece >= count) return count;
  const auto bad = std::ranges::find_if_not(piece(found), [](float value) { return std::isfinite(value); });
  return found * kPiece + (bad - piece(found).begin());
}

void check_features(const Dataset& data) {
  const Features& x = data.features;
  if (x.num_nodes() != data.graph.num_nodes()) {
    fail(data.name, ": features of ", x.num_nodes(), " nodes, but the graph has ", data.graph.num_nodes());
  }
  const auto complain = [&](int64_t node, int64_t feature) {
    fail(data.name, ": feature ", feature, " of node ", data.node_name(static_cast<NodeId>(node)),
         " is NaN or infinite");
  };
  if (x.is_sparse()) {
    const SparseMatrix& s = x.sparse();
    for (int64_t r = 0; r < s.rows; ++r) {
      for (int64_t at = s.offset[r]; at < s.offset[r + 1]; ++at) {
        if (!std::isfinite(s.value[at])) complain(r, s.column[at]);
      }
    }
    return;
  }
  const at::Tensor dense = x.dense().contiguous();
  const float* values = dense.data_ptr<float>();
  const int64_t bad = first_not_finite(std::span(values, static_cast<size_t>(dense.numel())));
  if (bad < dense.numel()) complain(bad / dense.size(1), bad % dense.size(1));
}

void check_labels(const Dataset& data) {
  const at::Tensor& labels = data.labels;
  const bool many = data.task == Task::kMultiLabel;
  if (!labels.defined() || labels.dim() != (many ? 2 : 1) || labels.size(0) != data.graph.num_nodes() ||
      labels.scalar_type() != (many ? at::kFloat : at::kLong)) {
    fail(data.name, ": labels must be ", many ? "f32 [nodes, labels]" : "int64 [nodes]", " for a ",
         to_string(data.task), " task on ", data.graph.num_nodes(), " nodes");
  }
  if (many) {
    if (labels.size(1) != data.num_classes) {
      fail(data.name, ": ", labels.size(1), " label columns, but ", data.num_classes, " classes");
    }
    return;
  }
  const at::Tensor flat = labels.contiguous();
  for (int64_t i = 0; i < flat.numel(); ++i) {
    const int64_t label = flat.data_ptr<int64_t>()[i];
    if (label < -1 || label >= data.num_classes) {
      fail(data.name, ": node ", data.node_name(static_cast<NodeId>(i)), " has label ", label, ", but there are ",
           data.num_classes, " classes");
    }
  }
}

void check_split(const Dataset& data, const char* name, const std::vector<NodeId>& nodes) {
  const bool many = data.task == Task::kMultiLabel;
  const at::Tensor first = many && data.num_classes > 0 ? data.labels.select(1, 0).contiguous() : data.labels;
  for (const NodeId node : nodes) {
    if (node < 0 || node >= data.graph.num_nodes()) {
      fail(data.name, ": the ", name, " split names node ", node, ", but there are ", data.graph.num_nodes());
    }
    const bool labelled = many ? data.num_classes == 0 || !std::isnan(first.data_ptr<float>()[node])
                               : first.data_ptr<int64_t>()[node] >= 0;
    if (!labelled) fail(data.name, ": node ", data.node_name(node), " of the ", name, " split has no label");
  }
}

bool has_edge(const Graph& graph, NodeId source, NodeId target) {
  if (target < 0 || target >= graph.num_nodes()) return false;
  const auto sources = graph.incoming().neighbours(target);
  return std::binary_search(sources.begin(), sources.end(), source);
}

void check_truth(const Dataset& data) {
  const auto& edges = data.true_edges;
  const auto& lengths = data.path_length;
  if (!lengths.empty() && std::ssize(lengths) != data.graph.num_nodes()) {
    fail(data.name, ": ", lengths.size(), " path lengths, expected ", data.graph.num_nodes(), " or none");
  }
  for (size_t e = 0; e < edges.size(); ++e) {
    const auto [source, target] = edges[e];
    if (!has_edge(data.graph, source, target)) {
      fail(data.name, ": the true edge ", source, " -> ", target, " is not in the graph");
    }
    if (e > 0 && edges[e - 1] >= edges[e]) {
      fail(data.name, ": the true edge ", source, " -> ", target, " follows ", edges[e - 1].first, " -> ",
           edges[e - 1].second, ", expected ascending edges, each once");
    }
  }
}

}  // namespace

void Dataset::validate() const {
  check_names(*this);  // first, as the other messages use them
  check_features(*this);
  check_labels(*this);
  check_split(*this, "train", train);
  check_split(*this, "valid", valid);
  check_split(*this, "test", test);
  check_truth(*this);
}

std::string Dataset::node_name(NodeId node) const {
  return node_names.empty() ? std::to_string(node) : node_names[static_cast<size_t>(node)];
}

}  // namespace geniepath
