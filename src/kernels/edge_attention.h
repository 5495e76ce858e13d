// The paper's attention, without an E x K array, forward or backward.
//
//   alpha_i = softmax_j v . tanh(a[i] + b[j])     agg[i] = sum_j alpha_ij h[j]               (paper, eq. "att-mech")
// Factored exponentials: with p = exp(2a), q = exp(2b) an edge costs one product and one reciprocal per element,
//   r = 1 / (1 + p[i] q[j])     tanh(a[i] + b[j]) = 1 - 2r     1 - tanh^2 = 4 r (1 - r)
// 2a and 2b are clamped to +-kLargestExponent so that p q stays finite. Past |a| = 21.5 tanh is +-1 to f32 anyway,
// unless a and b nearly cancel there; then the clamped sum is used, and alpha differs from the formula's.
//
// With g = grad_agg: ds_ij = alpha_ij (g[i] . h[j] - g[i] . agg[i]) for every edge. The first pass of backward computes
// ds, into grad_score [E].
//
// pq: [N, 2K], p beside q, in f32 or bf16   h: [N, K], the same   v: [K]   agg: [N, K]
// A row without edges gives zeros. There are no atomic additions: the same bits from run to run.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"
#include "kernels/exponent.h"

namespace geniepath::kernels {

// pq = exp(2 ab), clamped; count elements.
template <class S>
struct ExpTwice {
  int64_t count;
  const float* ab;
  S* pq;
};

// Overwrites agg.
template <class S, class AnyRows>
struct EdgeAttentionForward {
  AnyRows incoming;
  int64_t width;
  const S* pq;
  const S* h;
  const float* v;
  float* agg;
};

// The operands shared by both passes of backward: `rows` are incoming in the pass by destination, outgoing in the pass
// by source. Each pass overwrites its half of grad_ab [N, 2K].
template <class S, class AnyRows>
struct EdgeAttentionBackward {
  AnyRows rows;
  int64_t width;
  const S* pq;
  const float* v;
  float* grad_ab;
};

// The sums over a destination's edges: grad_a, the left half, and grad_v [K], overwritten.
template <class S, class AnyRows>
struct EdgeAttentionBackwardByDestination : EdgeAttentionBackward<S, AnyRows> {
  float* grad_v;
};

// The sums over a source's edges: grad_b, the right half, and grad_h [N, K], overwritten. grad_agg is in the storage
// type here, since it is gathered.
template <class S, class AnyRows>
struct EdgeAttentionBackwardBySource : EdgeAttentionBackward<S, AnyRows> {
  const S* grad_agg;
  float* grad_h;
};

}  // namespace geniepath::kernels
