// The paper's attention (kernels/edge_attention.h) on the CPU; backward runs by destination first.
//
// alpha: [E], for backward. Rows, from `first` on, are divided into tasks by edges; long rows are split and merged by
// running maximum, sum and weighted sum (online softmax). The bits do not depend on the number of threads.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/edge_attention.h"
#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

template <class S>
using ExpTwice = OnThreads<kernels::ExpTwice<S>>;

// Also overwrites alpha. The rows may be only the first R of N nodes: then agg is [R, K], and pq and h cover all nodes
// that are rows or neighbours.
template <class S>
struct EdgeAttentionForward : kernels::EdgeAttentionForward<S, Rows> {
  float* alpha;
  int threads;
};

// Also overwrites grad_score, and alpha_and_score [E, 2] with alpha beside ds, for the pass by source, which visits the
// edges in another order.
template <class S>
struct EdgeAttentionBackwardByDestination : kernels::EdgeAttentionBackwardByDestination<S, Rows> {
  const S* h;
  const float* agg;
  const float* alpha;
  const float* grad_agg;
  float* grad_score;
  float* alpha_and_score;
  int threads;
};

template <class S>
struct EdgeAttentionBackwardBySource : kernels::EdgeAttentionBackwardBySource<S, Rows> {
  const float* alpha_and_score;
  int threads;
};

void run(const ExpTwice<float>& op);
void run(const ExpTwice<Bf16>& op);
void run(const EdgeAttentionForward<float>& op);
void run(const EdgeAttentionForward<Bf16>& op);
void run(const EdgeAttentionBackwardByDestination<float>& op);
void run(const EdgeAttentionBackwardByDestination<Bf16>& op);
void run(const EdgeAttentionBackwardBySource<float>& op);
void run(const EdgeAttentionBackwardBySource<Bf16>& op);

}  // namespace geniepath::kernels::cpu
