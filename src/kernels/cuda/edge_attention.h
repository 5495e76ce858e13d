// The paper's attention on the GPU, without an E x K array, forward or backward.
//
//   alpha_i = softmax_j v . tanh(a[i] + b[j])     agg[i] = sum_j alpha_ij h[j]               (paper, eq. "att-mech")
//   p = exp(2a), q = exp(2b), r = 1 / (1 + p[i] q[j])     tanh(a[i] + b[j]) = 1 - 2r     (see kernels/cpu/edge_attention.h)
// sum_k v_k is the same for every edge of a row, so the scores kept are -2 sum_k v_k r_k.
//
// Forward gathers q[j] and h[j] once. Backward runs by source first: p[i] and g[i] gathered once give dL/ds of every
// edge, grad_b and grad_h; by destination, only q[j] is gathered, for grad_a and grad_v: five gathers of K per edge.
//
// pq: [N, 2K], p beside q, in f32 or bf16   h: [N, K], the same   v: [K]   agg: [N, K]   score: [E]   lse: [N]
// Pointers are device pointers; width is 1 to kLargestWidth. Rows without edges give zeros.
#pragma once

#include "kernels/bf16.h"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// pq = exp(2 ab), clamped; count elements.
template <class S>
struct ExpTwice {
  int64_t count;
  const float* ab;
  S* pq;
  Stream stream;
};

// Overwrites agg, score and lse, the logarithm of a row's sum of exp(score). scratch: [pieces, K + 2].
template <class S>
struct EdgeAttentionForward {
  DeviceRows incoming;
  int64_t width;
  const S* pq;
  const S* h;
  const float* v;
  float* agg;
  float* score;
  float* lse;
  float* scratch;
  Stream stream;
};

// lse_and_delta[i] = (lse[i], grad_agg[i] . agg[i]), [N, 2]; gathered, if not null, gets grad_agg in bf16.
struct EdgeAttentionDelta {
  int64_t rows, width;
  const float* agg;
  const float* lse;
  const float* grad_agg;
  float* lse_and_delta;
  Bf16* gathered;
  Stream stream;
};

// Overwrites grad_b, the right half of grad_ab [N, 2K], grad_h [N, K], and grad_score [E], by position in `incoming`.
// grad_agg is in the storage type, since it is gathered. scratch: [pieces, 2K].
template <class S>
struct EdgeAttentionBackwardBySource {
  DeviceRows outgoing;
  int64_t width;
  const S* pq;
  const S* h;
  const float* v;
  const float* score;
  const float* lse_and_delta;
  const S* grad_agg;
  float* grad_ab;
  float* grad_h;
  float* grad_score;
  float* scratch;
  Stream stream;
};

// Overwrites grad_a, the left half of grad_ab, and grad_v [K]. scratch: [pieces, K]; v_scratch: [v_scratch_rows(), K].
template <class S>
struct EdgeAttentionBackwardByDestination {
  DeviceRows incoming;
  int64_t width;
  const S* pq;
  const float* v;
  const float* grad_score;
  float* grad_ab;
  float* grad_v;
  float* scratch;
  float* v_scratch;
  Stream stream;
};
int64_t v_scratch_rows(const DeviceRows& incoming, int64_t width);

// alpha[e] = exp(score[e] - lse[i]) of the edges into i.
struct AlphaOfScores {
  DeviceRows incoming;
  const float* score;
  const float* lse;
  float* alpha;
  Stream stream;
};

void run(const ExpTwice<float>& op);
void run(const ExpTwice<Bf16>& op);
void run(const EdgeAttentionForward<float>& op);
void run(const EdgeAttentionForward<Bf16>& op);
void run(const EdgeAttentionDelta& op);
void run(const EdgeAttentionBackwardBySource<float>& op);
void run(const EdgeAttentionBackwardBySource<Bf16>& op);
void run(const EdgeAttentionBackwardByDestination<float>& op);
void run(const EdgeAttentionBackwardByDestination<Bf16>& op);
void run(const AlphaOfScores& op);

}  // namespace geniepath::kernels::cuda
