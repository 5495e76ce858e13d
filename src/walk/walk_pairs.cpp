#include "walk/walk_pairs.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>

namespace geniepath::walk {
namespace {

constexpr uint64_t kDrawStream = 48;
constexpr int64_t kNodesAtOnce = 256;

}  // namespace

// Every row has room for the same number of pairs; gaps are closed afterwards.
SparseMatrix draw_walk_pairs(const Graph& graph, const Walker& walker, const NegativeTable& table,
                             const WalkPairOptions& options, int64_t epoch) {
  const NodeId nodes = graph.num_nodes();
  const int64_t room = options.window * (1 + options.negatives);
  const auto number = static_cast<uint64_t>(epoch);
  const float negative = -1.0f / static_cast<float>(options.negatives);
  const kernels::AliasSampler sampler = table.sampler();
  std::vector<int32_t> column(static_cast<size_t>(nodes * room));
  std::vector<float> weight(column.size());
  std::vector<int64_t> offset(static_cast<size_t>(nodes) + 1);
  at::parallel_for(0, nodes, kNodesAtOnce, [&](int64_t begin, int64_t end) {
    std::vector<NodeId> walk(static_cast<size_t>(options.window) + 1);
    for (int64_t u = begin; u < end; ++u) {
      const auto start = static_cast<NodeId>(u);
      Random random{options.seed, kDrawStream, static_cast<uint64_t>(u), number};
      const int64_t length = walker.walk(start, number, walk);
      auto at = static_cast<size_t>(u * room);
      const auto add = [&](NodeId v, float w) {
        if (v != start) column[at] = v, weight[at++] = w;
      };
      for (int64_t step = 1; step < length; ++step) {
        add(walk[static_cast<size_t>(step)], 1.0f);
        for (int64_t n = 0; n < options.negatives; ++n) add(sampler.draw(random.bits()), negative);
      }
      offset[static_cast<size_t>(u) + 1] = static_cast<int64_t>(at) - u * room;
    }
  });
  int64_t used = 0, positives = 0;
  for (int64_t u = 0; u < nodes; ++u) {
    const int64_t count = offset[static_cast<size_t>(u) + 1];
    for (int64_t n = 0; n < count; ++n, ++used) {
      const auto from = static_cast<size_t>(u * room + n), to = static_cast<size_t>(used);
      column[to] = column[from], weight[to] = weight[from];
      positives += weight[to] > 0;
    }
    offset[static_cast<size_t>(u) + 1] = used;
  }
  column.resize(static_cast<size_t>(used));
  weight.resize(static_cast<size_t>(used));
  for (float& w : weight) w /= static_cast<float>(std::max<int64_t>(positives, 1));
  return {nodes, nodes, std::move(offset), std::move(column), std::move(weight)};
}

}  // namespace geniepath::walk
