#include "graph/clusters.h"

#include <metis.h>

#include <limits>

#include "geniepath/error.h"

namespace geniepath {
namespace {

// Rows as METIS reads them: symmetric, without loops, in its own integers.
struct MetisRows {
  explicit MetisRows(const Graph& graph) {
    const Graph simple = graph.with({.symmetrise = true, .self_loops = SelfLoops::kRemove});
    if (simple.num_edges() > std::numeric_limits<idx_t>::max()) {
      fail("clusters: ", simple.num_edges(), " edge entries, but this METIS counts to ",
           std::numeric_limits<idx_t>::max());
    }
    begin.assign(simple.incoming().offset.begin(), simple.incoming().offset.end());
    neighbour.assign(simple.incoming().neighbour.begin(), simple.incoming().neighbour.end());
  }
  std::vector<idx_t> begin, neighbour;
};

}  // namespace

std::vector<int32_t> clusters_of(const Graph& graph, int64_t count, uint64_t seed, const std::vector<int32_t>& weight) {
  if (count < 1 || count > std::max<NodeId>(1, graph.num_nodes())) {
    fail("clusters: ", count, " clusters of ", graph.num_nodes(), " nodes");
  }
  if (count == 1) return std::vector<int32_t>(static_cast<size_t>(graph.num_nodes()), 0);
  MetisRows rows(graph);
  idx_t nodes = graph.num_nodes(), constraints = 1, clusters = static_cast<idx_t>(count), cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x7fffffff);
  std::vector<idx_t> cluster(static_cast<size_t>(nodes)), weights(weight.begin(), weight.end());
  const int outcome = METIS_PartGraphKway(&nodes, &constraints, rows.begin.data(), rows.neighbour.data(),
                                          weights.empty() ? nullptr : weights.data(), nullptr, nullptr, &clusters,
                                          nullptr, nullptr, options, &cut, cluster.data());
  if (outcome != METIS_OK)
    fail("clusters: METIS failed on ", nodes, " nodes", outcome == METIS_ERROR_MEMORY ? ": out of memory" : "");
  return {cluster.begin(), cluster.end()};
}

}  // namespace geniepath
