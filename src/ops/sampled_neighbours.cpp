#include <ATen/ATen.h>

#include <algorithm>

#include "geniepath/ops.h"
#include "ops/checks.h"
#include "ops/drawn_neighbours.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {

GraphTensors sampled_neighbours(const GraphTensors& graph, int64_t most, uint64_t key) {
  if (most < 1) fail("sampled_neighbours: at most ", most, " neighbours, expected 1 or more");
  const at::Tensor offset = graph.in_offset.cpu().to(at::kLong), neighbour = graph.in_neighbour.cpu();
  const kernels::Rows rows = cpu_rows({offset, neighbour});
  std::vector<EdgeId> kept_offset{0};
  std::vector<NodeId> kept;
  for (int64_t i = 0; i < rows.count; ++i) {
    const auto* begin = rows.neighbour + rows.offset[i];
    const auto* end = rows.neighbour + rows.offset[i + 1];
    std::vector<int32_t> row = drawn_neighbours(rows, i, most, key);
    if (std::binary_search(begin, end, static_cast<int32_t>(i))) row.push_back(static_cast<int32_t>(i));
    std::sort(row.begin(), row.end());
    kept.insert(kept.end(), row.begin(), row.end());
    kept_offset.push_back(std::ssize(kept));
  }
  const Graph sample = Graph::from_incoming({std::move(kept_offset), std::move(kept)});
  GraphTensors drawn = GraphTensors(sample).to(graph.in_offset.device());
  drawn.halo = graph.halo;
  drawn.halo_nodes = graph.halo_nodes;
  drawn.interior_nodes = graph.interior_nodes;
  return drawn;
}

}  // namespace geniepath::ops
