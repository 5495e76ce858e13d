#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "geniepath/ops.h"
#include "ops/checks.h"
#include "ops/drawn_neighbours.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {

NeighbourSequences neighbour_sequences(const GraphTensors& graph, int64_t most, uint64_t key) {
  if (most < 1) fail("neighbour_sequences: at most ", most, " neighbours, expected 1 or more");
  if (graph.halo)
    fail("neighbour_sequences: the graph is divided among processes, and neighbours of other processes cannot be read");
  const at::Device device = graph.in_offset.device();
  const at::Tensor offset = graph.in_offset.cpu().to(at::kLong), neighbour = graph.in_neighbour.cpu();
  const kernels::Rows rows = cpu_rows({offset, neighbour});
  std::vector<std::vector<int32_t>> drawn(static_cast<size_t>(rows.count));
  for (int64_t i = 0; i < rows.count; ++i) drawn[static_cast<size_t>(i)] = drawn_neighbours(rows, i, most, key);
  const auto length = [&](int64_t node) { return drawn[static_cast<size_t>(node)].size(); };
  std::vector<int64_t> order(drawn.size()), place(drawn.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return length(a) > length(b); });
  for (size_t n = 0; n < order.size(); ++n) place[static_cast<size_t>(order[n])] = static_cast<int64_t>(n);
  NeighbourSequences sequences{at::tensor(order).to(device), at::tensor(place).to(device), {}};
  const size_t steps = order.empty() ? 0 : length(order.front());
  for (size_t s = 0; s < steps; ++s) {
    std::vector<int64_t> ids;
    for (const int64_t node : order) {
      if (length(node) <= s) break;
      ids.push_back(drawn[static_cast<size_t>(node)][s]);
    }
    sequences.step.push_back(at::tensor(ids).to(device));
  }
  return sequences;
}

}  // namespace geniepath::ops
