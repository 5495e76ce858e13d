// Leading singular vectors of a graph's adjacency matrix, as features for nodes without any.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/graph.h"

namespace geniepath {

struct TruncatedSvd {
  at::Tensor u;  // f32 [N, d], orthonormal columns; the entry of largest magnitude in each is positive
  at::Tensor s;  // f32 [d], descending
};

// A ~ U S V' for A[i][j] = how often the edge (i <- j) is listed, by subspace iteration from a Gaussian sketch (Halko,
// Martinsson, Tropp 2011, algorithm 4.4): no N x N matrix is made. The same seed gives the same bits on one machine.
TruncatedSvd truncated_svd(const Graph& graph, int64_t dimensions, int64_t seed);

}  // namespace geniepath
