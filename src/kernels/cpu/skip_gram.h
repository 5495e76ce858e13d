// Skip-gram with negative sampling over blocks of pairs (formula: kernels/reference/skip_gram.h).
//   center, context: [N, width]
// Blocks run in parallel, so no two may share a center row or a context row, which the caller ensures. Within a block,
// pairs are processed in order: plain stochastic gradient descent, whose bits do not depend on threads.
#pragma once

#include <span>

#include "kernels/skip_gram.h"

namespace geniepath::kernels::cpu {

struct SkipGram {
  std::span<SkipGramBlock> blocks;
  float* center;
  float* context;
  int threads;
};

void run(const SkipGram& op);

}  // namespace geniepath::kernels::cpu
