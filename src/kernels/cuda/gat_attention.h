// The attention of graph attention networks on the GPU, without an E x K array, forward or backward.
//
//   s_ij = LeakyReLU(dst[i] + src[j])   alpha_i = softmax_j s_ij   out[i] = sum_j m_ij alpha_ij h[j]     for every head
//   dst, src, lse, delta: [N, H]   h, out: [N, H W], head beside head   m_ij: dropout's mask, 0 or 1 / (1 - rate)
// As kernels/cpu/gat_attention.h, with the same mask. A score costs two loads, so lse, the logarithm of a row's sum of
// exp(s), is computed first and alpha = exp(s - lse) recomputed wherever needed. H W is at most kLargestWidth.
#pragma once

#include "kernels/cuda/mask_key.h"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

struct GatScores {
  int64_t heads;
  int64_t width;  // W, of one head
  float negative_slope;
  const float* dst;
  const float* src;
  const float* lse;
  double dropout;  // rate; 0: no mask
  DeviceMaskKey key;
};

// Overwrites lse [N, H], which may be scores.lse; 0 for a row without edges.
struct GatLogSumExp {
  DeviceRows incoming;
  GatScores scores;
  float* lse;
  Stream stream;
};

// Overwrites out; a row without edges gives zeros. scratch: [pieces, H W].
struct GatAttentionForward {
  DeviceRows incoming;
  GatScores scores;
  const float* h;
  float* out;
  float* scratch;
  Stream stream;
};

// With g = grad_out and delta[i] = g[i] . out[i] of each head:
//   ds_ij = alpha_ij (m_ij g[i] . h[j] - delta[i]) LeakyReLU'     grad_h[j] = sum_i m alpha g[i]
// ds goes to grad_score [E, H] by edge id. Overwrites both. scratch: [pieces, H W].
struct GatAttentionBackward {
  DeviceRows outgoing;
  GatScores scores;
  const float* h;
  const float* delta;
  const float* grad_out;
  float* grad_h;
  float* grad_score;
  float* scratch;
  Stream stream;
};

// out[r] = sum of value[edge id] over a row's edges; value: [E, H]   out: [rows, H], overwritten
struct EdgeSums {
  DeviceRows rows;
  int64_t heads;
  const float* value;
  float* out;
  Stream stream;
};

void run(const GatLogSumExp& op);
void run(const GatAttentionForward& op);
void run(const GatAttentionBackward& op);
void run(const EdgeSums& op);

}  // namespace geniepath::kernels::cuda
