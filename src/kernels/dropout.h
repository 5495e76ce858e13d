// Dropout: y[n] = x[n] / (1 - rate) where the mask keeps element n, else 0. The mask is a hash of (key, element), so
// that every device and the backward pass draw the same one: a call on the gradient is the backward pass.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace geniepath::kernels {

constexpr uint64_t dropout_threshold(double rate) { return static_cast<uint64_t>(rate * 0x1.0p53); }

constexpr bool dropout_keeps(uint64_t key, uint64_t element, uint64_t threshold) {
  return (mix_bits(key + (element + 1) * 0x9e3779b97f4a7c15ULL) >> 11) >= threshold;
}

// Key of the dropout layer number `steps` in a model, from the key of the whole training step.
constexpr uint64_t dropout_key_after(uint64_t key, int64_t steps) {
  for (int64_t n = 0; n < steps; ++n) key = RandomStream{key, 1}.key();
  return key;
}

// y may be x.
template <class Key>
struct Dropout {
  int64_t count;
  Key key;
  double rate;
  const float* x;
  float* y;
};

// Dropout of the entries of a sparse matrix: entry (r, c) is kept if element r * columns + c of the dense matrix would
// be, so that sparse and dense features, and a matrix and its transpose, draw the same mask. Where `transposed`, rows
// are the dense matrix's columns.
template <class AnyRows, class Key>
struct SparseDropout {
  AnyRows rows;
  bool transposed;
  int64_t columns;  // of the dense matrix
  Key key;
  double rate;
  const float* value;
  float* out;
};

}  // namespace geniepath::kernels
