// The attention of graph attention networks on the CPU, without an E x K array, forward or backward.
//
//   s_ij = LeakyReLU(dst[i] + src[j])   alpha_i = softmax_j s_ij   out[i] = sum_j m_ij alpha_ij h[j]     for every head
//   dst, src, lse, delta: [N, H]   h, out: [N, H W], head beside head   m_ij: dropout's mask, 0 or 1 / (1 - rate)
// The mask of an edge and head is a function of only the key and edge id * H + head (kernels/dropout.h).
// Forward keeps lse, the log of the softmax's sum, from which backward recomputes alpha: exp(s_ij - lse[i]).
// Rows are divided into tasks by edges, long rows are split and merged; there are no atomic additions, so the bits do
// not depend on threads. All visit the rows from `first` on.
#pragma once

#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

struct GatScores {
  int64_t heads;
  float negative_slope;
  const float* dst;
  const float* src;
  double dropout;  // rate; 0: no mask
  uint64_t key;
};

// Overwrites out and lse; a row without edges gives zeros.
struct GatAttentionForward {
  Rows incoming;
  int64_t width;  // W, of one head
  GatScores scores;
  const float* h;
  float* out;
  float* lse;
  int threads;
};

// With g = grad_out and delta[i] = g[i] . out[i] of each head:
//   ds_ij = alpha_ij (m_ij g[i] . h[j] - delta[i]) LeakyReLU'     grad_src[j] = sum_i ds     grad_h[j] = sum_i m alpha g[i]
// ds also goes to grad_score [E, H] by edge id, for the pass by destination. Overwrites all three.
struct GatAttentionBackwardBySource {
  Rows outgoing;
  int64_t width;
  GatScores scores;
  const float* h;
  const float* lse;
  const float* delta;
  const float* grad_out;
  float* grad_h;
  float* grad_src;
  float* grad_score;
  int threads;
};

// grad_dst[i] = sum_j ds_ij: [N, H], overwritten.
struct GatAttentionBackwardByDestination {
  Rows incoming;
  int64_t heads;
  const float* grad_score;
  float* grad_dst;
  int threads;
};

void run(const GatAttentionForward& op);
void run(const GatAttentionBackwardBySource& op);
void run(const GatAttentionBackwardByDestination& op);

}  // namespace geniepath::kernels::cpu
