#include "partition/owners.h"

#include <algorithm>
#include <numeric>

#include "base/even_shares.h"
#include "graph/clusters.h"

namespace geniepath::partition {
namespace {

std::vector<int32_t> costs_of(const Graph& graph) {
  std::vector<int32_t> cost(static_cast<size_t>(graph.num_nodes()));
  for (NodeId i = 0; i < graph.num_nodes(); ++i) cost[static_cast<size_t>(i)] = work_of(graph, i);
  return cost;
}

std::vector<int32_t> divided(const Graph& graph, int64_t count, uint64_t seed) {
  if (graph.num_nodes() < count) {  // too few to divide evenly
    std::vector<int32_t> owner(static_cast<size_t>(graph.num_nodes()));
    std::iota(owner.begin(), owner.end(), 0);
    return owner;
  }
  std::vector<int32_t> owner(static_cast<size_t>(graph.num_nodes()));
  if (share_components(graph, graph.components(), count, [](NodeId) { return true; }, owner)) return owner;
  return clusters_of(graph, count, seed, costs_of(graph));
}

// Parts of the graph with training nodes, and the others.
std::vector<std::vector<int64_t>> classes_of_parts(const Dataset& data) {
  std::vector<bool> trained(static_cast<size_t>(data.graph.num_parts()), false);
  for (const NodeId node : data.train) trained[static_cast<size_t>(data.graph.part_of(node))] = true;
  std::vector<std::vector<int64_t>> classes(2);
  for (int64_t part = 0; part < data.graph.num_parts(); ++part)
    classes[trained[static_cast<size_t>(part)] ? 0 : 1].push_back(part);
  return classes;
}

}  // namespace

bool share_components(const Graph& graph, std::span<const NodeId> component, int64_t count,
                      const std::function<bool(NodeId)>& takes_part, std::vector<int32_t>& owner) {
  const size_t components = component.empty() ? 0 : static_cast<size_t>(*std::ranges::max_element(component)) + 1;
  std::vector<int64_t> total(components, 0), load(static_cast<size_t>(count), 0);
  const auto of = [&](NodeId i) { return static_cast<size_t>(component[static_cast<size_t>(i)]); };
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    if (takes_part(i)) total[of(i)] += work_of(graph, i);
  }
  const std::vector<int32_t> owner_of_component = even_shares(total, count);
  for (size_t c = 0; c < components; ++c) load[static_cast<size_t>(owner_of_component[c])] += total[c];
  const double mean = static_cast<double>(std::reduce(load.begin(), load.end())) / static_cast<double>(count);
  if (static_cast<double>(*std::ranges::max_element(load)) > kUneven * mean) return false;
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    if (takes_part(i)) owner[static_cast<size_t>(i)] = owner_of_component[of(i)];
  }
  return true;
}

std::vector<int32_t> owners_of(const Dataset& data, int64_t count, uint64_t seed) {
  if (!data.inductive) return divided(data.graph, count, seed);
  std::vector<int32_t> owner(static_cast<size_t>(data.graph.num_nodes()));
  for (const std::vector<int64_t>& parts : classes_of_parts(data)) {
    const std::vector<int32_t> of_class = divided(data.graph.select(parts), count, seed);
    size_t next = 0;
    for (const int64_t part : parts) {
      for (NodeId i = data.graph.part_begin(part); i < data.graph.part_begin(part + 1); ++i)
        owner[static_cast<size_t>(i)] = of_class[next++];
    }
  }
  return owner;
}

}  // namespace geniepath::partition
