#include "explain/recovery.h"

#include <algorithm>
#include <map>

#include "geniepath/metrics.h"

namespace geniepath::explain {
namespace {

Graph graph_of(const Dataset& data) {
  std::vector<NodeId> source, target;
  for (const auto& [s, t] : data.true_edges) source.push_back(s), target.push_back(t);
  return Graph::from_edges(data.graph.num_nodes(), source, target, {.self_loops = SelfLoops::kRemove});
}

}  // namespace

RecoveryMeter::RecoveryMeter(const Dataset& data, int64_t layers) : truth_(graph_of(data)) {
  sum_.auc.assign(static_cast<size_t>(layers), 0);
}

bool RecoveryMeter::is_true(NodeId source, NodeId target) const {
  return std::ranges::binary_search(truth_.incoming().neighbours(target), source);
}

bool RecoveryMeter::is_true(const ReceptivePath& path) const {
  for (size_t s = 1; s < path.nodes.size(); ++s) {
    if (!is_true(path.nodes[s], path.nodes[s - 1])) return false;
  }
  return true;
}

double RecoveryMeter::true_paths_into(NodeId node, int64_t hops) const {
  double paths = 0;
  std::map<NodeId, double> ends{{node, 1}};  // number of paths of as many steps that end there
  for (int64_t steps = 1; steps <= hops && !ends.empty(); ++steps) {
    std::map<NodeId, double> next;
    for (const auto& [end, count] : ends) {
      for (const NodeId source : truth_.incoming().neighbours(end)) next[source] += count, paths += count;
    }
    ends = std::move(next);
  }
  return paths;
}

void RecoveryMeter::add_rows(std::span<const PathEdge> edges) {
  while (!edges.empty()) {
    const NodeId target = edges.front().target;
    const auto end = std::ranges::find_if(edges, [&](const PathEdge& edge) { return edge.target != target; });
    const auto size = static_cast<size_t>(end - edges.begin());
    add_row(edges.first(size));
    edges = edges.subspan(size);
  }
}

void RecoveryMeter::add_row(std::span<const PathEdge> row) {
  std::vector<bool> truth;
  for (const PathEdge& edge : row) truth.push_back(is_true(edge.source, edge.target));
  const auto positives = std::ranges::count(truth, true);
  if (positives == 0 || positives == std::ssize(truth)) return;
  std::vector<double> weight(row.size());
  for (size_t layer = 0; layer < sum_.auc.size(); ++layer) {
    std::ranges::transform(row, weight.begin(), [&](const PathEdge& edge) { return edge.alpha[layer]; });
    sum_.auc[layer] += roc_auc(weight, truth);
  }
  std::ranges::transform(row, weight.begin(), &PathEdge::laplacian);
  sum_.laplacian_auc += roc_auc(weight, truth);
  ++sum_.rows;
}

void RecoveryMeter::add_paths(const Explanation& explanation) {
  const double all = true_paths_into(explanation.node, explanation.hops);
  if (all == 0) return;
  const auto is_right = [&](const ReceptivePath& path) { return is_true(path); };
  const auto& paths = explanation.paths;
  const auto strongest = static_cast<std::ptrdiff_t>(std::min(all, static_cast<double>(paths.size())));
  if (strongest > 0) {
    const auto right = std::count_if(paths.begin(), paths.begin() + strongest, is_right);
    sum_.precision += static_cast<double>(right) / static_cast<double>(strongest);
  }
  sum_.found += static_cast<double>(std::ranges::count_if(paths, is_right)) / all;
  ++sum_.nodes;
}

PathRecovery RecoveryMeter::result() const {
  PathRecovery mean = sum_;
  if (mean.rows == 0) mean.auc.clear();
  for (double& auc : mean.auc) auc /= static_cast<double>(mean.rows);
  mean.laplacian_auc /= static_cast<double>(std::max<int64_t>(mean.rows, 1));
  if (mean.rows > 0) mean.best_layer = std::ranges::max_element(mean.auc) - mean.auc.begin() + 1;
  const auto nodes = static_cast<double>(std::max<int64_t>(mean.nodes, 1));
  mean.precision /= nodes, mean.found /= nodes;
  return mean;
}

}  // namespace geniepath::explain
