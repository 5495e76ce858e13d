// Training pairs for models without labels: nodes near each other on walks should be similar, nodes drawn at random
// should not (GraphSAGE's unsupervised loss, on node2vec's walks).
#pragma once

#include "geniepath/sparse_matrix.h"
#include "walk/negative_table.h"
#include "walk/walker.h"

namespace geniepath::walk {

struct WalkPairOptions {
  int64_t window = 10;    // steps of each node's walk; the nodes it visits are its positive pairs
  int64_t negatives = 5;  // drawn for each positive pair
  uint64_t seed = 1;
};

// [N, N], from one walk per node. Row u has a positive weight for each node the walk visits, and negative weights of
// the same total for the nodes drawn at random; were each as large as a positive one, all representations would shrink
// to zero. Positive weights sum to 1 over all rows, so that the loss is a mean. A node is never paired with itself.
// Every epoch has other walks.
SparseMatrix draw_walk_pairs(const Graph& graph, const Walker& walker, const NegativeTable& table,
                             const WalkPairOptions& options, int64_t epoch);

}  // namespace geniepath::walk
