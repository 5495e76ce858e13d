// Skip-gram with negative sampling (Mikolov et al. 2013), one pair (u, v) with negatives n_1 .. n_m, in any precision:
//   loss = softplus(-c_u . x_v) + sum_j softplus(c_u . x_nj)          c: center rows, x: context rows
//   x_v += rate (1 - s(c_u . x_v)) c_u,   x_nj -= rate s(c_u . x_nj) c_u,   c_u += the same factors times x
// All factors are computed from the old rows; rows are then updated in order, v first. A negative equal to v is
// ignored.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/skip_gram.h"

namespace geniepath::kernels::reference {

template <class T>
T softplus(T x) {
  return std::max(x, T{0}) + std::log1p(std::exp(-std::abs(x)));
}

template <class T>
T sigmoid_of(T x) {
  return T{1} / (T{1} + std::exp(-x));
}

template <class T>
void skip_gram(SkipGramBlock& block, T* center, T* context) {
  const int64_t width = block.width;
  std::vector<int32_t> target(static_cast<size_t>(block.negatives + 1));
  std::vector<T> factor(target.size());
  block.loss = 0;
  for (int64_t i = 0; i < block.count; ++i) {
    T* u = center + block.pairs[i].center * width;
    target[0] = block.pairs[i].context;
    for (int64_t j = 0; j < block.negatives; ++j) {
      target[static_cast<size_t>(j + 1)] = block.negative.draw(negative_bits(block.key, i * block.negatives + j));
    }
    for (size_t j = 0; j < target.size(); ++j) {
      T score = 0;
      for (int64_t k = 0; k < width; ++k) score += u[k] * context[target[j] * width + k];
      const bool counts = j == 0 || target[j] != target[0];
      if (counts) block.loss += static_cast<double>(softplus(j == 0 ? -score : score));
      factor[j] = counts ? static_cast<T>(block.rate) * ((j == 0 ? T{1} : T{0}) - sigmoid_of(score)) : T{0};
    }
    for (int64_t k = 0; k < width; ++k) {
      T change = 0;
      for (size_t j = 0; j < target.size(); ++j) {
        T& x = context[target[j] * width + k];
        change += factor[j] * x;
        x += factor[j] * u[k];
      }
      u[k] += change;
    }
  }
}

}  // namespace geniepath::kernels::reference
