// Input of the skip-gram kernels: pairs of nodes near each other on walks, and a sampler of random negatives.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace geniepath::kernels {

struct NodePair {
  int32_t center, context;
};

// Draws candidates in proportion to their weights in constant time by Walker's alias method: slot s stands for
// candidate s if a 32-bit draw is below keep[s], else for candidate alias[s].
struct AliasSampler {
  int64_t count = 0;
  const int32_t* node = nullptr;
  const uint32_t* keep = nullptr;
  const int32_t* alias = nullptr;

  int32_t draw(uint64_t bits) const {
    const auto slot = static_cast<int64_t>(((bits >> 32) * static_cast<uint64_t>(count)) >> 32);
    return node[static_cast<uint32_t>(bits) < keep[slot] ? slot : alias[slot]];
  }
};

constexpr int64_t kMostNegatives = 63;

// Pairs whose center and context rows no other block of the same round uses; pairs are processed in order.
//   center, context: [N, width]     key: of the stream that negative j of pair i is drawn from, at i * negatives + j
struct SkipGramBlock {
  const NodePair* pairs = nullptr;
  int64_t count = 0;
  AliasSampler negative;
  int64_t negatives = 5;
  int64_t width = 0;
  float rate = 0;
  uint64_t key = 0;
  double loss = 0;  // out: summed over the pairs, before their updates
};

// The stream of a block's key.
inline uint64_t negative_bits(uint64_t key, int64_t index) {
  return mix_bits(key + (static_cast<uint64_t>(index) + 1) * 0x9e3779b97f4a7c15ULL);
}

}  // namespace geniepath::kernels
