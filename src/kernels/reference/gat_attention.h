// The attention of graph attention networks (Velickovic et al. 2018), written as its formulas, in any precision.
//
//   s_ij = LeakyReLU(dst[i] + src[j])   alpha_i = softmax_j s_ij   out[i] = sum_j m_ij alpha_ij h[j]     for every head
//   dst, src, lse: [N, H]   h, out: [N, H W], head beside head   m_ij: dropout's mask, 0 or 1 / (1 - rate), else 1
// lse is the log of the softmax's sum, from which alpha is recomputed: alpha_ij = exp(s_ij - lse[i]).
// A row without edges gives 0, and lse 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/dropout.h"
#include "kernels/rows.h"

namespace geniepath::kernels::reference {

template <class T>
struct GatScores {
  int64_t heads;
  T negative_slope;
  const T* dst;
  const T* src;
  double dropout;
  uint64_t key;

  T sum(int64_t i, int64_t j, int64_t head) const { return dst[i * heads + head] + src[j * heads + head]; }
  T slope(int64_t i, int64_t j, int64_t head) const { return sum(i, j, head) > 0 ? T{1} : negative_slope; }
  T score(int64_t i, int64_t j, int64_t head) const { return slope(i, j, head) * sum(i, j, head); }
  T mask(int64_t edge, int64_t head) const {
    if (dropout == 0) return T{1};
    const bool kept = dropout_keeps(key, static_cast<uint64_t>(edge * heads + head), dropout_threshold(dropout));
    return kept ? static_cast<T>(1.0 / (1.0 - dropout)) : T{0};
  }
};

template <class T>
void gat_attention_forward(const Rows& incoming, int64_t width, const GatScores<T>& scores, const T* h, T* out,
                           T* lse) {
  const int64_t heads = scores.heads;
  std::fill(out + incoming.first * heads * width, out + incoming.count * heads * width, T{0});
  for (int64_t i = incoming.first; i < incoming.count; ++i) {
    for (int64_t head = 0; head < heads; ++head) {
      const int64_t begin = incoming.offset[i], end = incoming.offset[i + 1];
      T largest = -std::numeric_limits<T>::infinity(), sum = 0;
      for (int64_t e = begin; e < end; ++e) largest = std::max(largest, scores.score(i, incoming.neighbour[e], head));
      for (int64_t e = begin; e < end; ++e) sum += std::exp(scores.score(i, incoming.neighbour[e], head) - largest);
      T& log_sum = lse[i * heads + head];
      log_sum = begin == end ? T{0} : largest + std::log(sum);
      for (int64_t e = begin; e < end; ++e) {
        const int64_t j = incoming.neighbour[e];
        const T weight = scores.mask(e, head) * std::exp(scores.score(i, j, head) - log_sum);
        for (int64_t k = head * width; k < (head + 1) * width; ++k) {
          out[i * heads * width + k] += weight * h[j * heads * width + k];
        }
      }
    }
  }
}

// Overwrites grad_dst, grad_src [N, H] and grad_h [N, H W], with delta[i] = grad_out[i] . out[i]:
//   ds_ij = alpha_ij (m_ij grad_out[i] . h[j] - delta[i]) LeakyReLU'     grad_dst[i] += ds     grad_src[j] += ds
//   grad_h[j] += m_ij alpha_ij grad_out[i]
template <class T>
void gat_attention_backward(const Rows& incoming, int64_t width, const GatScores<T>& scores, const T* h, const T* lse,
                            const T* delta, const T* grad_out, T* grad_dst, T* grad_src, T* grad_h) {
  const int64_t heads = scores.heads;
  std::fill(grad_dst, grad_dst + incoming.count * heads, T{0});
  std::fill(grad_src, grad_src + incoming.count * heads, T{0});
  std::fill(grad_h, grad_h + incoming.count * heads * width, T{0});
  for (int64_t i = 0; i < incoming.count; ++i) {
    for (int64_t e = incoming.offset[i]; e < incoming.offset[i + 1]; ++e) {
      const int64_t j = incoming.neighbour[e];
      for (int64_t head = 0; head < heads; ++head) {
        const T alpha = std::exp(scores.score(i, j, head) - lse[i * heads + head]), mask = scores.mask(e, head);
        T dot = 0;
        for (int64_t k = head * width; k < (head + 1) * width; ++k) {
          dot += grad_out[i * heads * width + k] * h[j * heads * width + k];
          grad_h[j * heads * width + k] += mask * alpha * grad_out[i * heads * width + k];
        }
        const T ds = alpha * (mask * dot - delta[i * heads + head]) * scores.slope(i, j, head);
        grad_dst[i * heads + head] += ds;
        grad_src[j * heads + head] += ds;
      }
    }
  }
}

}  // namespace geniepath::kernels::reference
