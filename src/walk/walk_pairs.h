// What a model's output is taught by, where no labels are: nodes near each other on walks are to be alike, nodes drawn at
// random are not (GraphSAGE's unsupervised loss, on node2vec's walks).
#pragma once

#include "geniepath/sparse_matrix.h"
#include "walk/negative_table.h"
#include "walk/walker.h"

namespace geniepath::walk {

struct WalkPairOptions {
  int64_t window = 10;    // steps of each node's walk; the nodes it comes to are its positive pairs
  int64_t negatives = 5;  // drawn for each of them
  uint64_t seed = 1;
};

// [N, N]: one walk from every node. In row u, a positive weight for each node the walk comes to, and for the nodes drawn
// negative ones that together weigh as much: where each weighed as much as a positive one, representations would all
// shrink to nothing. Positive weights add up to 1 over all rows, so that the loss is a mean. A node paired with itself is
// left out. Another epoch, other walks.
SparseMatrix draw_walk_pairs(const Graph& graph, const Walker& walker, const NegativeTable& table,
                             const WalkPairOptions& options, int64_t epoch);

}  // namespace geniepath::walk
