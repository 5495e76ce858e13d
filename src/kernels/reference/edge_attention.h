// The paper's attention, written as its formulas, in any precision: the reference for every fast kernel.
//
//   s_ij = v . tanh(a[i] + b[j])     alpha_i = softmax_j s_ij     agg[i] = sum_j alpha_ij h[j]     (eq. "att-mech")
//   a, b, h, agg: [N, K]   v: [K]   alpha: [E], by position in `incoming`
// a and b are side by side in ab [N, 2K], the result of the single product H [W_s W_d]. A row without edges gives 0.
// The forward pass visits the rows from `first` on.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/rows.h"

namespace geniepath::kernels::reference {

template <class T>
void edge_attention_forward(const Rows& incoming, int64_t width, const T* ab, const T* h, const T* v, T* agg,
                            T* alpha) {
  for (int64_t i = incoming.first; i < incoming.count; ++i) {
    const int64_t begin = incoming.offset[i], end = incoming.offset[i + 1];
    const T* a = ab + i * 2 * width;
    T largest = -std::numeric_limits<T>::infinity();
    for (int64_t e = begin; e < end; ++e) {
      const T* b = ab + incoming.neighbour[e] * 2 * width + width;
      T score = 0;
      for (int64_t k = 0; k < width; ++k) score += v[k] * std::tanh(a[k] + b[k]);
      alpha[e] = score;
      largest = std::max(largest, score);
    }
    T sum = 0;
    for (int64_t e = begin; e < end; ++e) sum += alpha[e] = std::exp(alpha[e] - largest);
    std::fill(agg + i * width, agg + (i + 1) * width, T{0});
    for (int64_t e = begin; e < end; ++e) {
      alpha[e] /= sum;
      const T* neighbour = h + incoming.neighbour[e] * width;
      for (int64_t k = 0; k < width; ++k) agg[i * width + k] += alpha[e] * neighbour[k];
    }
  }
}

// Overwrites grad_ab [N, 2K], grad_h [N, K] and grad_v [K]:
//   delta_i = grad_agg[i] . agg[i]     ds_ij = alpha_ij (grad_agg[i] . h[j] - delta_i)     t = tanh(a[i] + b[j])
//   grad_a[i] += ds v (1 - t^2)     grad_b[j] += ds v (1 - t^2)     grad_v += ds t     grad_h[j] += alpha grad_agg[i]
template <class T>
void edge_attention_backward(const Rows& incoming, int64_t width, const T* ab, const T* h, const T* v, const T* alpha,
                             const T* grad_agg, T* grad_ab, T* grad_h, T* grad_v) {
  std::fill(grad_ab, grad_ab + incoming.count * 2 * width, T{0});
  std::fill(grad_h, grad_h + incoming.count * width, T{0});
  std::fill(grad_v, grad_v + width, T{0});
  for (int64_t i = 0; i < incoming.count; ++i) {
    const int64_t begin = incoming.offset[i], end = incoming.offset[i + 1];
    const T* g = grad_agg + i * width;
    std::vector<T> grad_alpha(static_cast<size_t>(end - begin));
    T delta = 0;
    for (int64_t e = begin; e < end; ++e) {
      const T* neighbour = h + incoming.neighbour[e] * width;
      T dot = 0;
      for (int64_t k = 0; k < width; ++k) dot += g[k] * neighbour[k];
      grad_alpha[static_cast<size_t>(e - begin)] = dot;
      delta += alpha[e] * dot;
    }
    for (int64_t e = begin; e < end; ++e) {
      const int64_t j = incoming.neighbour[e];
      const T ds = alpha[e] * (grad_alpha[static_cast<size_t>(e - begin)] - delta);
      for (int64_t k = 0; k < width; ++k) {
        const T t = std::tanh(ab[i * 2 * width + k] + ab[j * 2 * width + width + k]);
        const T slope = ds * v[k] * (1 - t * t);
        grad_ab[i * 2 * width + k] += slope;
        grad_ab[j * 2 * width + width + k] += slope;
        grad_v[k] += ds * t;
        grad_h[j * width + k] += alpha[e] * g[k];
      }
    }
  }
}

}  // namespace geniepath::kernels::reference
