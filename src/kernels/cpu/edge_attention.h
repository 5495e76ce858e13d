// The paper's attention on the CPU, without an E x K array, forward or backward.
//
//   alpha_i = softmax_j v . tanh(a[i] + b[j])     agg[i] = sum_j alpha_ij h[j]               (paper, eq. "att-mech")
// Factored exponentials: with p = exp(2a), q = exp(2b) an edge costs one product and one reciprocal per element,
//   r = 1 / (1 + p[i] q[j])     tanh(a[i] + b[j]) = 1 - 2r     1 - tanh^2 = 4 r (1 - r)
// 2a and 2b are clamped to +-kLargestExponent so that p q stays finite. Past |a| = 21.5 tanh is +-1 to f32 anyway,
// unless a and b nearly cancel there; then the clamped sum is used, and alpha differs from the formula's.
//
// pq: [N, 2K], p beside q, in f32 or bf16   h: [N, K], the same   v: [K]   agg: [N, K]   alpha: [E], for backward
// Rows, from `first` on, are divided into tasks by edges; long rows are split and merged by running maximum, sum and weighted sum (online
// softmax). There are no atomic additions: results are bit-identical for any number of threads.
#pragma once

#include "kernels/bf16.h"
#include "kernels/exponent.h"
#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

// pq = exp(2 ab), clamped; count elements.
template <class S>
struct ExpTwice {
  int64_t count;
  const float* ab;
  S* pq;
  int threads;
};

// Overwrites agg and alpha; a row without edges gives zeros. The rows may be only the first R of N nodes: then agg is
// [R, K], and pq and h cover all nodes that are rows or neighbours.
template <class S>
struct EdgeAttentionForward {
  Rows incoming;
  int64_t width;
  const S* pq;
  const S* h;
  const float* v;
  float* agg;
  float* alpha;
  int threads;
};

// With g = grad_agg: ds_ij = alpha_ij (g[i] . h[j] - g[i] . agg[i]) for every edge, into grad_score [E], and the sums
// over a destination's edges: grad_a, the left half of grad_ab [N, 2K], and grad_v [K]. Overwrites them.
// alpha_and_score [E, 2] gets alpha beside ds, for the pass by source, which visits the edges in another order.
template <class S>
struct EdgeAttentionBackwardByDestination {
  Rows incoming;
  int64_t width;
  const S* pq;
  const S* h;
  const float* v;
  const float* agg;
  const float* alpha;
  const float* grad_agg;
  float* grad_ab;
  float* grad_score;
  float* alpha_and_score;
  float* grad_v;
  int threads;
};

// The sums over a source's edges: grad_b, the right half of grad_ab, and grad_h [N, K]. Overwrites them.
// grad_agg is in the storage type here, since it is gathered.
template <class S>
struct EdgeAttentionBackwardBySource {
  Rows outgoing;
  int64_t width;
  const S* pq;
  const float* v;
  const float* alpha_and_score;
  const S* grad_agg;
  float* grad_ab;
  float* grad_h;
  int threads;
};

void run(const ExpTwice<float>& op);
void run(const ExpTwice<Bf16>& op);
void run(const EdgeAttentionForward<float>& op);
void run(const EdgeAttentionForward<Bf16>& op);
void run(const EdgeAttentionBackwardByDestination<float>& op);
void run(const EdgeAttentionBackwardByDestination<Bf16>& op);
void run(const EdgeAttentionBackwardBySource<float>& op);
void run(const EdgeAttentionBackwardBySource<Bf16>& op);

}  // namespace geniepath::kernels::cpu
