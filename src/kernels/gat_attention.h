// The attention of graph attention networks, without an E x K array, forward or backward.
//
//   s_ij = LeakyReLU(dst[i] + src[j])   alpha_i = softmax_j s_ij   out[i] = sum_j m_ij alpha_ij h[j]     for every head
//   dst, src, lse, delta: [N, H]   h, out: [N, H W], head beside head   m_ij: dropout's mask, 0 or 1 / (1 - rate)
// The mask of an edge and head is a function of only the key and edge id * H + head (kernels/dropout.h).
// lse, the log of the softmax's sum, is kept and alpha recomputed from it: exp(s_ij - lse[i]). A row without edges has
// an lse of 0.
// Long rows are split and merged; there are no atomic additions.
#pragma once

#include <cstdint>

namespace geniepath::kernels {

template <class Key>
struct GatScores {
  int64_t heads, width;  // H and W, of one head
  float negative_slope;
  const float* dst;
  const float* src;
  double dropout;  // rate; 0: no mask
  Key key;
};

// The inputs of both passes: `rows` are incoming in forward, outgoing in backward.
template <class AnyRows, class Scores>
struct GatAttentionPass {
  AnyRows rows;
  Scores scores;
  const float* h;
};

// Overwrites out; a row without edges gives zeros.
template <class AnyRows, class Scores>
struct GatAttentionForward : GatAttentionPass<AnyRows, Scores> {
  float* out;
};

// With g = grad_out and delta[i] = g[i] . out[i] of each head:
//   ds_ij = alpha_ij (m_ij g[i] . h[j] - delta[i]) LeakyReLU'     grad_h[j] = sum_i m alpha g[i]
// ds goes to grad_score [E, H] by edge id. Overwrites both.
template <class AnyRows, class Scores>
struct GatAttentionBackward : GatAttentionPass<AnyRows, Scores> {
  const float* delta;
  const float* grad_out;
  float* grad_h;
  float* grad_score;
};

// out[r] = sum of value[edge id] over a row's edges; value: [E, H]   out: [rows, H], overwritten
template <class AnyRows>
struct EdgeSums {
  AnyRows rows;
  int64_t heads;
  const float* value;
  float* out;
};

}  // namespace geniepath::kernels
