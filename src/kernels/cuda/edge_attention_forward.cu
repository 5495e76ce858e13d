// A group of lanes processes a row in chunks of one edge per lane: lane l owns edge l's id, score and weight, and all
// lanes together gather the edges' q[j] and then their h[j], four at a time so that four gathers are in flight. The
// softmax is online: running maximum, sum and weighted sum, rescaled once per chunk.
#include <cmath>

#include "kernels/cuda/edge_attention.h"
#include "kernels/cuda/row_groups.cuh"
#include "kernels/exponent.h"

namespace geniepath::kernels::cuda {
namespace {

template <class L>
struct OnlineSoftmax {
  float largest = -INFINITY, sum = 0;  // sum: of this lane's edges
  Values<L> weighted;
};

// Scores of up to kLanes edges, one per lane; j is the lane's source.
template <class L, class S>
__device__ float chunk_scores(const EdgeAttentionForward<S>& op, int32_t j, int count, const Values<L>& p,
                              const Values<L>& v) {
  const Gather<L, S> rows(op.pq + op.width, 2 * op.width, op.width);
  float mine = -INFINITY;
  for (int from = 0; from < count; from += 4) {
    Values<L> q[4];
    float partial[4] = {};
#pragma unroll
    for (int b = 0; b < 4; ++b) rows.load(broadcast<L>(j, from + b), q[b]);
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      each<L>([&](int m, int c) {
        partial[b] = fmaf(v.at[m][c], reciprocal(fmaf(p.at[m][c], q[b].at[m][c], 1.0f)), partial[b]);
      });
    }
    const float score = -2.0f * group_sums_of_four<L>(partial);
    if (L::lane() / 4 == from / 4) mine = score;
  }
  return L::lane() < count ? mine : -INFINITY;
}

template <class L, class S>
__device__ void add_chunk(const EdgeAttentionForward<S>& op, int32_t j, int count, float score, OnlineSoftmax<L>& row) {
  const Gather<L, S> rows(op.h, op.width, op.width);
  const float largest = fmaxf(row.largest, group_max<L>(score));
  const float rescale = __expf(row.largest - largest), weight = __expf(score - largest);
  row.largest = largest;
  row.sum = fmaf(row.sum, rescale, weight);
  each<L>([&](int m, int c) { row.weighted.at[m][c] *= rescale; });
  for (int from = 0; from < count; from += 4) {
    Values<L> h[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) rows.load(broadcast<L>(j, from + b), h[b]);
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const float of_edge = broadcast<L>(weight, from + b);
      each<L>([&](int m, int c) { row.weighted.at[m][c] = fmaf(of_edge, h[b].at[m][c], row.weighted.at[m][c]); });
    }
  }
}

template <class L, class S>
__global__ void __launch_bounds__(kThreads, kResidentBlocks<L>) forward_kernel(EdgeAttentionForward<S> op) {
  const RowWork work = row_work(op.incoming, group_index<L>());
  if (work.row < 0) return;
  const auto width = static_cast<int>(op.width);
  Values<L> p, v;
  load<L>(op.pq + work.row * 2 * width, width, p);
  load<L>(op.v, width, v);
  OnlineSoftmax<L> row;
  row.weighted.fill(0);
  for (int64_t e = work.begin; e < work.end; e += L::kLanes) {
    const auto count = static_cast<int>(min(work.end - e, int64_t{L::kLanes}));
    const int32_t j = __ldg(op.incoming.neighbour + e + min(L::lane(), count - 1));
    const float score = chunk_scores<L>(op, j, count, p, v);
    if (L::lane() < count) op.score[e + L::lane()] = score;
    add_chunk<L>(op, j, count, score, row);
  }
  row.sum = group_sum<L>(row.sum);
  if (work.slot >= 0) {
    float* slot = op.scratch + work.slot * (width + 2);
    each<L>([&](int m, int c) {
      if (L::first(m) + c < width) slot[2 + L::first(m) + c] = row.weighted.at[m][c];
    });
    if (L::lane() == 0) slot[0] = row.largest, slot[1] = row.sum;
    return;
  }
  const float scale = work.begin == work.end ? 0.0f : 1.0f / row.sum;
  each<L>([&](int m, int c) { row.weighted.at[m][c] *= scale; });
  store<L>(op.agg + work.row * width, width, row.weighted);
  if (L::lane() == 0) op.lse[work.row] = work.begin == work.end ? 0.0f : row.largest + logf(row.sum);
}

// One block per long row: first the maxima and sums of its pieces, then their weighted sums, in order.
template <class S>
__global__ void __launch_bounds__(kThreads) merge_kernel(EdgeAttentionForward<S> op) {
  const int64_t begin = op.incoming.first_piece[blockIdx.x], end = op.incoming.first_piece[blockIdx.x + 1];
  const int64_t row = op.incoming.long_row[blockIdx.x], stride = op.width + 2;
  float largest = -INFINITY, sum = 0;
  for (int64_t s = begin; s < end; ++s) largest = fmaxf(largest, op.scratch[s * stride]);
  for (int64_t s = begin; s < end; ++s) sum += op.scratch[s * stride + 1] * __expf(op.scratch[s * stride] - largest);
  for (int64_t k = threadIdx.x; k < op.width; k += kThreads) {
    float total = 0;
    for (int64_t s = begin; s < end; ++s) {
      total = fmaf(op.scratch[s * stride + 2 + k], __expf(op.scratch[s * stride] - largest), total);
    }
    op.agg[row * op.width + k] = total / sum;
  }
  if (threadIdx.x == 0) op.lse[row] = largest + logf(sum);
}

template <class S>
void run_forward(const EdgeAttentionForward<S>& op) {
  with_layout(op.width, aligned_16({op.pq, op.h, op.v, op.agg}), [&](auto layout) {
    using L = decltype(layout);
    launch("edge_attention_forward", forward_kernel<L, S>, row_blocks<L>(op.incoming), kThreads, op.stream, op);
  });
  launch("edge_attention_merge", merge_kernel<S>, op.incoming.num_long_rows, kThreads, op.stream, op);
}

// NaN stays NaN, which fminf and fmaxf would replace.
__device__ float clamped_exp_twice(float x) {
  const float twice = 2.0f * x;
  return __expf(twice < -kLargestExponent ? -kLargestExponent : twice > kLargestExponent ? kLargestExponent : twice);
}

template <class S>
__global__ void exp_kernel(ExpTwice<S> op) {
  const int64_t n = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * 4;
  if (n + 4 <= op.count) {
    float x[4];
    load_four(op.ab + n, x);
#pragma unroll
    for (float& value : x) value = clamped_exp_twice(value);
    store_four(op.pq + n, x);
  } else {
    for (int64_t at = n; at < op.count; ++at) store_one(op.pq + at, clamped_exp_twice(op.ab[at]));
  }
}

template <class S>
void run_exp(const ExpTwice<S>& op) {
  launch("exp_twice", exp_kernel<S>, blocks_for(op.count, 4 * kThreads), kThreads, op.stream, op);
}

__global__ void alpha_kernel(AlphaOfScores op) {
  const int64_t row = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / 32;
  if (row >= op.incoming.count) return;
  const int64_t end = offset_at(op.incoming, row + 1);
  for (int64_t e = offset_at(op.incoming, row) + threadIdx.x % 32; e < end; e += 32) {
    op.alpha[e] = __expf(op.score[e] - op.lse[row]);
  }
}

}  // namespace

void run(const ExpTwice<float>& op) { run_exp(op); }
void run(const ExpTwice<Bf16>& op) { run_exp(op); }
void run(const EdgeAttentionForward<float>& op) { run_forward(op); }
void run(const EdgeAttentionForward<Bf16>& op) { run_forward(op); }
void run(const AlphaOfScores& op) {
  launch("alpha_of_scores", alpha_kernel, blocks_for(op.incoming.count * 32, kThreads), kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
