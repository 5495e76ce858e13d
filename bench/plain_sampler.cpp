#include "bench/plain_sampler.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <unordered_map>

namespace geniepath::bench {

std::pair<int64_t, int64_t> plain_sample(const Graph& graph, const std::vector<int64_t>& fan_out,
                                         std::span<const NodeId> seeds, uint64_t key) {
  std::mt19937_64 random(key);
  std::unordered_map<NodeId, NodeId> place;
  std::vector<NodeId> nodes(seeds.begin(), seeds.end());
  for (size_t n = 0; n < nodes.size(); ++n) place[nodes[n]] = static_cast<NodeId>(n);
  std::vector<std::pair<NodeId, NodeId>> edges;
  size_t begin = 0;
  for (const int64_t count : fan_out) {
    const size_t end = nodes.size();
    for (size_t n = begin; n < end; ++n) {
      std::vector<NodeId> drawn;
      const auto neighbours = graph.incoming().neighbours(nodes[n]);
      std::sample(neighbours.begin(), neighbours.end(), std::back_inserter(drawn),
                  count < 0 ? std::ssize(neighbours) : count, random);
      for (const NodeId j : drawn) {
        const auto [found, is_new] = place.emplace(j, static_cast<NodeId>(nodes.size()));
        if (is_new) nodes.push_back(j);
        edges.emplace_back(static_cast<NodeId>(n), found->second);
      }
    }
    begin = end;
  }
  return {std::ssize(nodes), std::ssize(edges)};
}

}  // namespace geniepath::bench
