// The paper's attention (kernels/edge_attention.h) on the GPU; width is 1 to kLargestWidth.
//
// sum_k v_k is the same for every edge of a row, so the scores kept are -2 sum_k v_k r_k.   score: [E]   lse: [N]
// Forward gathers q[j] and h[j] once. Backward runs by source first: p[i] and g[i] gathered once give dL/ds of every
// edge, grad_b and grad_h; by destination, only q[j] is gathered, for grad_a and grad_v: five gathers of K per edge.
#pragma once

#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"
#include "kernels/edge_attention.h"

namespace geniepath::kernels::cuda {

template <class S>
using ExpTwice = OnStream<kernels::ExpTwice<S>>;

// Also overwrites score and lse, the logarithm of a row's sum of exp(score). scratch: [pieces, K + 2].
template <class S>
struct EdgeAttentionForward : kernels::EdgeAttentionForward<S, DeviceRows> {
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

// Also overwrites grad_score, by position in `incoming`. scratch: [pieces, 2K].
template <class S>
struct EdgeAttentionBackwardBySource : kernels::EdgeAttentionBackwardBySource<S, DeviceRows> {
  const S* h;
  const float* score;
  const float* lse_and_delta;
  float* grad_score;
  float* scratch;
  Stream stream;
};

// scratch: [pieces, K]   v_scratch: [v_scratch_rows(), K]
template <class S>
struct EdgeAttentionBackwardByDestination : kernels::EdgeAttentionBackwardByDestination<S, DeviceRows> {
  const float* grad_score;
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
