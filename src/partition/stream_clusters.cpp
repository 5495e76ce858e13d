#include "partition/stream_clusters.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "partition/owners.h"

namespace geniepath::partition {
namespace {

constexpr int kLabelPasses = 6;
constexpr size_t kFewestEdges = 1 << 16;  // kept at least, also of small graphs

class Labels {
 public:
  Labels(const Graph& graph, const std::function<int64_t(NodeId)>& limit_of)
      : label(static_cast<size_t>(graph.num_nodes())), work(label.size()), graph_(graph), limit_of_(limit_of),
        neighbours_(label.size(), 0) {
    std::iota(label.begin(), label.end(), NodeId{0});
    for (NodeId i = 0; i < graph.num_nodes(); ++i) work[static_cast<size_t>(i)] = work_of(graph, i);
  }

  void pass() {
    for (NodeId i = 0; i < graph_.num_nodes(); ++i) {
      const int64_t own = work_of(graph_, i);
      NodeId& now = label[static_cast<size_t>(i)];
      const NodeId next = best(i, now, own);
      work[static_cast<size_t>(now)] -= own, work[static_cast<size_t>(next)] += own;
      now = next;
    }
  }

  std::vector<NodeId> label;
  std::vector<int64_t> work;  // per label

 private:
  // The label with room that most neighbours have; on ties the present one, then the first found.
  NodeId best(NodeId node, NodeId now, int64_t own) {
    for (const NodeId j : graph_.incoming().neighbours(node)) {
      const NodeId there = label[static_cast<size_t>(j)];
      if (j != node && neighbours_[static_cast<size_t>(there)]++ == 0) touched_.push_back(there);
    }
    const int64_t limit = limit_of_(node);
    NodeId best = now;
    for (const NodeId there : touched_) {
      const bool has_room = there == now || work[static_cast<size_t>(there)] + own <= limit;
      if (has_room && neighbours_[static_cast<size_t>(there)] > neighbours_[static_cast<size_t>(best)]) best = there;
    }
    for (const NodeId there : touched_) neighbours_[static_cast<size_t>(there)] = 0;
    touched_.clear();
    return best;
  }

  const Graph& graph_;
  const std::function<int64_t(NodeId)>& limit_of_;
  std::vector<NodeId> neighbours_, touched_;  // of the node at hand, per label
};

// Numbers the labels that are in use, those with the most work first.
StreamClusters numbered(Labels labels) {
  std::vector<NodeId> used;
  for (size_t l = 0; l < labels.work.size(); ++l) {
    if (labels.work[l] > 0) used.push_back(static_cast<NodeId>(l));
  }
  std::ranges::stable_sort(used, std::greater<>(), [&](NodeId l) { return labels.work[static_cast<size_t>(l)]; });
  StreamClusters clusters{std::move(labels.label), {}};
  std::vector<NodeId> number(labels.work.size());
  for (const NodeId l : used) {
    number[static_cast<size_t>(l)] = static_cast<NodeId>(clusters.work.size());
    clusters.work.push_back(labels.work[static_cast<size_t>(l)]);
  }
  for (NodeId& l : clusters.of_node) l = number[static_cast<size_t>(l)];
  return clusters;
}

// Sums entries between clusters as they come, some at a time.
class ClusterEdges {
 public:
  explicit ClusterEdges(size_t limit) : limit_(std::max(limit, kFewestEdges)) { waiting_.reserve(limit_); }

  // False once there are too many.
  bool add(NodeId a, NodeId b) {
    if (a == b) return true;
    waiting_.push_back({std::max(a, b), std::min(a, b), 1});
    return waiting_.size() < limit_ || merge();
  }
  std::vector<ClusterEdge> finish() { return merge() ? std::move(edges_) : std::vector<ClusterEdge>(); }

 private:
  bool merge() {
    const auto before = [](const ClusterEdge& a, const ClusterEdge& b) {
      return std::pair(a.large, a.small) < std::pair(b.large, b.small);
    };
    std::ranges::sort(waiting_, before);
    const auto middle = static_cast<std::ptrdiff_t>(edges_.size());
    edges_.insert(edges_.end(), waiting_.begin(), waiting_.end());
    std::inplace_merge(edges_.begin(), edges_.begin() + middle, edges_.end(), before);
    waiting_.clear();
    size_t kept = 0;
    for (const ClusterEdge& edge : edges_) {
      if (kept > 0 && edges_[kept - 1].large == edge.large && edges_[kept - 1].small == edge.small) {
        edges_[kept - 1].entries += edge.entries;
      } else {
        edges_[kept++] = edge;
      }
    }
    edges_.resize(kept);
    return kept <= limit_;
  }

  size_t limit_;
  std::vector<ClusterEdge> edges_, waiting_;
};

}  // namespace

StreamClusters stream_clusters(const Graph& graph, const std::function<int64_t(NodeId)>& limit_of) {
  Labels labels(graph, limit_of);
  for (int pass = 0; pass < kLabelPasses; ++pass) labels.pass();
  return numbered(std::move(labels));
}

std::vector<ClusterEdge> cluster_edges(const Graph& graph, const StreamClusters& clusters) {
  ClusterEdges edges(static_cast<size_t>(graph.num_nodes()));
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    for (const NodeId j : graph.incoming().neighbours(i)) {
      if (!edges.add(clusters.of_node[static_cast<size_t>(i)], clusters.of_node[static_cast<size_t>(j)])) return {};
    }
  }
  return edges.finish();
}

}  // namespace geniepath::partition
