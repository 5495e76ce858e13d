#include "kernels/cuda/gat_attention.h"

#include <cmath>

#include "kernels/cuda/merge_pieces.cuh"
#include "kernels/cuda/row_groups.cuh"
#include "kernels/dropout.h"

namespace geniepath::kernels::cuda {
namespace {

__device__ float score_sum(const GatScores& s, int64_t i, int64_t j, int64_t head) {
  return __ldg(s.dst + i * s.heads + head) + __ldg(s.src + j * s.heads + head);
}
__device__ float leaky(const GatScores& s, float x) { return x > 0 ? x : s.negative_slope * x; }

__device__ float alpha_of(const GatScores& s, int64_t i, int64_t j, int64_t head) {
  return __expf(leaky(s, score_sum(s, i, j, head)) - s.lse[i * s.heads + head]);
}

// Dropout mask by edge and head.
struct EdgeMask {
  uint64_t key, threshold;
  float scale;
  int64_t heads;

  __device__ explicit EdgeMask(const GatScores& s)
      : key(s.dropout > 0 ? dropout_key_after(*s.key.base, s.key.uses) : 0),
        threshold(dropout_threshold(s.dropout)),
        scale(static_cast<float>(1.0 / (1.0 - s.dropout))),
        heads(s.heads) {}
  __device__ float at(int64_t edge, int64_t head) const {
    if (threshold == 0) return 1.0f;
    return dropout_keeps(key, static_cast<uint64_t>(edge * heads + head), threshold) ? scale : 0.0f;
  }
};

using Warp = Layout<32, 1, true>;

// One warp per row and head; lanes take edges in turn.
__global__ void __launch_bounds__(kThreads) lse_kernel(GatLogSumExp op) {
  const int64_t task = group_index<Warp>(), row = task / op.scores.heads, head = task % op.scores.heads;
  if (row >= op.incoming.count) return;
  const int64_t begin = offset_at(op.incoming, row), end = offset_at(op.incoming, row + 1);
  const auto score = [&](int64_t e) {
    return leaky(op.scores, score_sum(op.scores, row, __ldg(op.incoming.neighbour + e), head));
  };
  float largest = -INFINITY, sum = 0;
  for (int64_t e = begin + Warp::lane(); e < end; e += 32) largest = fmaxf(largest, score(e));
  largest = group_max<Warp>(largest);
  for (int64_t e = begin + Warp::lane(); e < end; e += 32) sum += __expf(score(e) - largest);
  sum = group_sum<Warp>(sum);
  if (Warp::lane() == 0) op.lse[task] = begin == end ? 0.0f : largest + logf(sum);
}

// Calls f(m, c, head) for each of this lane's elements, with the head that the element belongs to.
template <class L, class F>
__device__ void each_with_head(const GatScores& s, F f) {
  const auto width = static_cast<int>(s.width), columns = static_cast<int>(s.heads * s.width);
  each<L>([&](int m, int c) {
    const int k = L::first(m) + c;
    if (k < columns) f(m, c, k / width);
  });
}

template <class L>
__device__ void edge_weights(const GatScores& s, const EdgeMask& mask, int64_t edge, int64_t i, int64_t j,
                             Values<L>& weight) {
  int64_t last = -1;
  float of_head = 0;
  weight.fill(0);
  each_with_head<L>(s, [&](int m, int c, int64_t head) {
    if (head != last) of_head = alpha_of(s, i, j, head) * mask.at(edge, head), last = head;
    weight.at[m][c] = of_head;
  });
}

template <class L>
__global__ void __launch_bounds__(kThreads) forward_kernel(GatAttentionForward op) {
  const RowWork work = row_work(op.rows, group_index<L>());
  if (work.row < 0) return;
  const auto columns = static_cast<int>(op.scores.heads * op.scores.width);
  const Gather<L, float> rows(op.h, columns, columns);
  const EdgeMask mask(op.scores);
  Values<L> sum, weight, h;
  sum.fill(0);
  for (int64_t e = work.begin; e < work.end; ++e) {
    const int32_t j = __ldg(op.rows.neighbour + e);
    rows.load(j, h);
    edge_weights<L>(op.scores, mask, edge_at(op.rows, e), work.row, j, weight);
    each<L>([&](int m, int c) { sum.at[m][c] = fmaf(weight.at[m][c], h.at[m][c], sum.at[m][c]); });
  }
  store<L>(work.slot < 0 ? op.out + work.row * columns : op.scratch + work.slot * columns, columns, sum);
}

// ds of one edge for every head: the lanes' products of a head are summed over the group.
template <class L>
__device__ void edge_gradients(const GatAttentionBackward& op, const EdgeMask& mask, int64_t edge, int64_t i, int64_t j,
                               const Values<L>& products) {
  const GatScores& s = op.scores;
  for (int64_t head = 0; head < s.heads; ++head) {
    float dot = 0;
    each_with_head<L>(s, [&](int m, int c, int64_t of) { dot += of == head ? products.at[m][c] : 0.0f; });
    dot = group_sum<L>(dot);
    if (L::lane() != 0) continue;
    const float slope = score_sum(s, i, j, head) > 0 ? 1.0f : s.negative_slope;
    const float above = mask.at(edge, head) * dot - op.delta[i * s.heads + head];
    op.grad_score[edge * s.heads + head] = alpha_of(s, i, j, head) * above * slope;
  }
}

template <class L>
__global__ void __launch_bounds__(kThreads) backward_kernel(GatAttentionBackward op) {
  const RowWork work = row_work(op.rows, group_index<L>());
  if (work.row < 0) return;
  const auto columns = static_cast<int>(op.scores.heads * op.scores.width);
  const Gather<L, float> rows(op.grad_out, columns, columns);
  const EdgeMask mask(op.scores);
  Values<L> h, sum, weight, g;
  load<L>(op.h + work.row * columns, columns, h);
  sum.fill(0);
  for (int64_t at = work.begin; at < work.end; ++at) {
    const int32_t i = __ldg(op.rows.neighbour + at);
    const int64_t edge = edge_at(op.rows, at);
    rows.load(i, g);
    edge_weights<L>(op.scores, mask, edge, i, work.row, weight);
    each<L>([&](int m, int c) {
      sum.at[m][c] = fmaf(weight.at[m][c], g.at[m][c], sum.at[m][c]);
      g.at[m][c] *= h.at[m][c];
    });
    edge_gradients<L>(op, mask, edge, i, work.row, g);
  }
  store<L>(work.slot < 0 ? op.grad_h + work.row * columns : op.scratch + work.slot * columns, columns, sum);
}

// One warp per row and head; lanes take edges in turn.
__global__ void __launch_bounds__(kThreads) edge_sums_kernel(EdgeSums op) {
  const int64_t task = group_index<Warp>(), row = task / op.heads, head = task % op.heads;
  if (row >= op.rows.count) return;
  const int64_t end = offset_at(op.rows, row + 1);
  float sum = 0;
  for (int64_t at = offset_at(op.rows, row) + Warp::lane(); at < end; at += 32) {
    sum += __ldg(op.value + edge_at(op.rows, at) * op.heads + head);
  }
  sum = group_sum<Warp>(sum);
  if (Warp::lane() == 0) op.out[task] = sum;
}

}  // namespace

void run(const GatLogSumExp& op) {
  const int64_t tasks = op.incoming.count * op.scores.heads;
  launch("gat_log_sum_exp", lse_kernel, blocks_for(tasks * 32, kThreads), kThreads, op.stream, op);
}

void run(const GatAttentionForward& op) {
  const int64_t columns = op.scores.heads * op.scores.width;
  with_layout(columns, aligned_16({op.h, op.out, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("gat_attention_forward", forward_kernel<L>, row_blocks<L>(op.rows), kThreads, op.stream, op);
  });
  merge({op.rows, columns, columns, op.scratch, op.out, columns}, op.stream);
}

void run(const GatAttentionBackward& op) {
  const int64_t columns = op.scores.heads * op.scores.width;
  with_layout(columns, aligned_16({op.h, op.grad_out, op.grad_h, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("gat_attention_backward", backward_kernel<L>, row_blocks<L>(op.rows), kThreads, op.stream, op);
  });
  merge({op.rows, columns, columns, op.scratch, op.grad_h, columns}, op.stream);
}

void run(const EdgeSums& op) {
  launch("edge_sums", edge_sums_kernel, blocks_for(op.rows.count * op.heads * 32, kThreads), kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
