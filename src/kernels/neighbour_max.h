// Elementwise maximum over neighbours (GraphSAGE's pooling), and the neighbour that attained it.
//
//   out[i][k] = max over the edges (i <- j) of x[j][k]
//   x, out: [N, K]   choice: [N, K], the winner's position in row i of `incoming`; -1, and out 0, without neighbours
// Ties go to the first; NaN exceeds every number. skip_self leaves out the edge (i <- i). Long rows are split and merged in
// order. Backward runs by source, without atomic additions: its bits do not depend on the threads.
#pragma once

#include <cstdint>

namespace geniepath::kernels {

// Overwrites out and choice.
template <class AnyRows>
struct NeighbourMaxForward {
  AnyRows incoming;
  bool skip_self;
  int64_t width;
  const float* x;
  float* out;
  int32_t* choice;
};

// grad_x[j][k] = sum of grad_out[i][k] over the edges (i <- j) that were chosen. Overwrites grad_x.
// `outgoing` must carry edge ids: the position of an edge in row i is its id minus incoming_offset[i].
template <class AnyRows, class Offset>
struct NeighbourMaxBackward {
  AnyRows outgoing;
  const Offset* incoming_offset;
  int64_t width;
  const int32_t* choice;
  const float* grad_out;
  float* grad_x;
};

}  // namespace geniepath::kernels
