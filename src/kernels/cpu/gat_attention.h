// The attention of graph attention networks (kernels/gat_attention.h) on the CPU.
// Rows are divided into tasks by edges: the bits do not depend on threads. All visit the rows from `first` on.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/gat_attention.h"
#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

using GatScores = kernels::GatScores<uint64_t>;

// Also overwrites lse.
struct GatAttentionForward : kernels::GatAttentionForward<Rows, GatScores> {
  float* lse;
  int threads;
};

// Also overwrites grad_src: grad_src[j] = sum_i ds_ij.
struct GatAttentionBackwardBySource : kernels::GatAttentionBackward<Rows, GatScores> {
  const float* lse;
  float* grad_src;
  int threads;
};

// Sums ds over incoming edges: grad_dst.
using EdgeSums = OnThreads<kernels::EdgeSums<Rows>>;

void run(const GatAttentionForward& op);
void run(const GatAttentionBackwardBySource& op);
void run(const EdgeSums& op);

}  // namespace geniepath::kernels::cpu
