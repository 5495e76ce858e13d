// By source first: that pass gathers p[i], g[i] and holds h[j], q[j] in registers, all that an edge's gradient needs.
#include "kernels/cuda/edge_attention.h"
#include "kernels/cuda/merge_pieces.cuh"
#include "kernels/cuda/row_groups.cuh"

namespace geniepath::kernels::cuda {
namespace {

template <class L>
__global__ void __launch_bounds__(kThreads) delta_kernel(EdgeAttentionDelta op) {
  const int64_t row = group_index<L>();
  if (row >= op.rows) return;
  const auto width = static_cast<int>(op.width);
  Values<L> agg, grad;
  load<L>(op.agg + row * width, width, agg);
  load<L>(op.grad_agg + row * width, width, grad);
  float dot = 0;
  each<L>([&](int m, int c) {
    if (op.gathered != nullptr)
      grad.at[m][c] = __uint_as_float(bf16_bits(grad.at[m][c]) << 16);  // rounded as when gathered
    dot = fmaf(agg.at[m][c], grad.at[m][c], dot);
  });
  dot = group_sum<L>(dot);
  if (op.gathered != nullptr) store<L>(op.gathered + row * width, width, grad);
  if (L::lane() == 0) reinterpret_cast<float2*>(op.lse_and_delta)[row] = make_float2(op.lse[row], dot);
}

// A lane's edge, of a chunk with one edge per lane of the group.
struct LaneEdge {
  int32_t i;
  float alpha, grad_score;
};

// Adds alpha g[i] of a chunk's edges to `sum`, and gives each lane its edge's g[i] . h[j].
template <class L, class S>
__device__ float add_gradients(const EdgeAttentionBackwardBySource<S>& op, const LaneEdge& edge, int count,
                               const Values<L>& h, Values<L>& sum) {
  const Gather<L, S> rows(op.grad_agg, op.width, op.width);
  float mine = 0;
  for (int from = 0; from < count; from += 4) {
    Values<L> g[4];
    float dot[4] = {};
#pragma unroll
    for (int b = 0; b < 4; ++b) rows.load(broadcast<L>(edge.i, from + b), g[b]);
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const float alpha = broadcast<L>(edge.alpha, from + b);
      each<L>([&](int m, int c) {
        dot[b] = fmaf(g[b].at[m][c], h.at[m][c], dot[b]);
        sum.at[m][c] = fmaf(alpha, g[b].at[m][c], sum.at[m][c]);
      });
    }
    const float total = group_sums_of_four<L>(dot);
    if (L::lane() / 4 == from / 4) mine = total;
  }
  return mine;
}

// Adds ds r (1 - r) of a chunk's edges to `slope` and, if kWithV, ds r to `v_sum`. `there` has the rows of p or q at
// the edges' other ends, `here` the row at this end.
template <class L, bool kWithV, class S>
__device__ void add_slopes(const Gather<L, S>& there, int32_t other, float grad_score, int count, const Values<L>& here,
                           Values<L>& slope, Values<L>& v_sum) {
  for (int from = 0; from < count; from += 4) {
    Values<L> x[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) there.load(broadcast<L>(other, from + b), x[b]);
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const float of_edge = broadcast<L>(grad_score, from + b);
      each<L>([&](int m, int c) {
        const float r = reciprocal(fmaf(here.at[m][c], x[b].at[m][c], 1.0f));
        slope.at[m][c] = fmaf(of_edge, fmaf(-r, r, r), slope.at[m][c]);
        if constexpr (kWithV) v_sum.at[m][c] = fmaf(of_edge, r, v_sum.at[m][c]);
      });
    }
  }
}

template <class L, class S>
__global__ void __launch_bounds__(kThreads, kResidentBlocks<L>) by_source_kernel(EdgeAttentionBackwardBySource<S> op) {
  const RowWork work = row_work(op.rows, group_index<L>());
  if (work.row < 0) return;
  const auto width = static_cast<int>(op.width);
  const Gather<L, S> p(op.pq, 2 * op.width, op.width);
  Values<L> q, h, slope, h_sum;
  load<L>(op.pq + work.row * 2 * width + width, width, q);
  load<L>(op.h + work.row * width, width, h);
  slope.fill(0), h_sum.fill(0);
  for (int64_t e = work.begin; e < work.end; e += L::kLanes) {
    const auto count = static_cast<int>(min(work.end - e, int64_t{L::kLanes}));
    const int64_t at = e + min(L::lane(), count - 1), id = edge_at(op.rows, at);
    LaneEdge edge{__ldg(op.rows.neighbour + at), 0, 0};
    const float2 lse_and_delta = __ldg(reinterpret_cast<const float2*>(op.lse_and_delta) + edge.i);
    if (L::lane() < count) edge.alpha = __expf(__ldg(op.score + id) - lse_and_delta.x);
    edge.grad_score = edge.alpha * (add_gradients<L>(op, edge, count, h, h_sum) - lse_and_delta.y);
    if (L::lane() < count) op.grad_score[id] = edge.grad_score;
    add_slopes<L, false>(p, edge.i, edge.grad_score, count, q, slope, slope);
  }
  Values<L> v;
  load<L>(op.v, width, v);
  each<L>([&](int m, int c) { slope.at[m][c] *= 4.0f * v.at[m][c]; });
  const bool whole = work.slot < 0;
  float* scratch = op.scratch + work.slot * 2 * width;
  store<L>(whole ? op.grad_ab + work.row * 2 * width + width : scratch, width, slope);
  store<L>(whole ? op.grad_h + work.row * width : scratch + width, width, h_sum);
}

template <class L, class S>
__device__ void add_row(const EdgeAttentionBackwardByDestination<S>& op, const RowWork& work, Values<L>& v_sum) {
  const auto width = static_cast<int>(op.width);
  const Gather<L, S> q(op.pq + op.width, 2 * op.width, op.width);
  Values<L> p, slope, v;
  load<L>(op.pq + work.row * 2 * width, width, p);
  slope.fill(0);
  for (int64_t e = work.begin; e < work.end; e += L::kLanes) {
    const auto count = static_cast<int>(min(work.end - e, int64_t{L::kLanes}));
    const int64_t at = e + min(L::lane(), count - 1);
    const float grad_score = L::lane() < count ? __ldg(op.grad_score + at) : 0.0f;
    add_slopes<L, true>(q, __ldg(op.rows.neighbour + at), grad_score, count, p, slope, v_sum);
  }
  load<L>(op.v, width, v);
  each<L>([&](int m, int c) { slope.at[m][c] *= 4.0f * v.at[m][c]; });
  store<L>(work.slot < 0 ? op.grad_ab + work.row * 2 * width : op.scratch + work.slot * width, width, slope);
}

constexpr int64_t kRowsAGroup = 4;  // for grad_v, which is summed over a block's rows within the block

template <class L, class S>
__global__ void __launch_bounds__(kThreads, kResidentBlocks<L>)
    by_destination_kernel(EdgeAttentionBackwardByDestination<S> op) {
  constexpr int kGroups = kThreads / L::kLanes;
  constexpr int kAtOnce = L::kVectors < 8 ? L::kVectors : 8;  // vectors per lane that fit into shared memory
  __shared__ __align__(16) float v_sums[kGroups][4 * L::kLanes * kAtOnce];
  const auto width = static_cast<int>(op.width);
  Values<L> v_sum;
  v_sum.fill(0);
  for (int64_t n = 0; n < kRowsAGroup; ++n) {
    const RowWork work = row_work(op.rows, group_index<L>() * kRowsAGroup + n);
    if (work.row >= 0) add_row<L>(op, work, v_sum);
  }
  float* partial = op.v_scratch + static_cast<int64_t>(blockIdx.x) * width;
#pragma unroll
  for (int begin = 0; begin < L::kVectors; begin += kAtOnce) {
    if (begin > 0) __syncthreads();
#pragma unroll
    for (int m = 0; m < kAtOnce; ++m) {
      store_four(v_sums[threadIdx.x / L::kLanes] + L::first(m), v_sum.at[begin + m]);
    }
    __syncthreads();
    const int first = 4 * L::kLanes * begin, end = min(width - first, 4 * L::kLanes * kAtOnce);
    for (int k = static_cast<int>(threadIdx.x); k < end; k += kThreads) {
      float total = 0;
#pragma unroll
      for (int group = 0; group < kGroups; ++group) total += v_sums[group][k];
      partial[first + k] = total;
    }
  }
}

// grad_v = -2 (sum of the rows of partial): 32 columns per block, 8 rows at a time.
__global__ void __launch_bounds__(kThreads) v_kernel(int64_t rows, int64_t width, const float* partial, float* grad_v) {
  __shared__ float sums[kThreads / 32][32];
  const int64_t k = static_cast<int64_t>(blockIdx.x) * 32 + threadIdx.x % 32;
  float total = 0;
  if (k < width) {
    for (int64_t row = threadIdx.x / 32; row < rows; row += kThreads / 32) total += partial[row * width + k];
  }
  sums[threadIdx.x / 32][threadIdx.x % 32] = total;
  __syncthreads();
  if (threadIdx.x >= 32 || k >= width) return;
  total = 0;
  for (int part = 0; part < kThreads / 32; ++part) total += sums[part][threadIdx.x];
  grad_v[k] = -2.0f * total;
}

template <class S>
void run_by_source(const EdgeAttentionBackwardBySource<S>& op) {
  const int64_t width = op.width;
  with_layout(width, aligned_16({op.pq, op.h, op.v, op.grad_agg, op.grad_ab, op.grad_h, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("edge_attention_by_source", by_source_kernel<L, S>, row_blocks<L>(op.rows), kThreads, op.stream, op);
  });
  merge({op.rows, width, 2 * width, op.scratch, op.grad_ab + width, 2 * width}, op.stream);
  merge({op.rows, width, 2 * width, op.scratch + width, op.grad_h, width}, op.stream);
}

template <class S>
void run_by_destination(const EdgeAttentionBackwardByDestination<S>& op) {
  const int64_t width = op.width;
  with_layout(width, aligned_16({op.pq, op.v, op.grad_ab, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("edge_attention_by_destination", by_destination_kernel<L, S>, row_blocks<L>(op.rows, kRowsAGroup),
           kThreads, op.stream, op);
  });
  merge({op.rows, width, width, op.scratch, op.grad_ab, 2 * width}, op.stream);
  launch("edge_attention_grad_v", v_kernel, blocks_for(width, 32), kThreads, op.stream,
         v_scratch_rows(op.rows, width), width, op.v_scratch, op.grad_v);
}

}  // namespace

int64_t v_scratch_rows(const DeviceRows& incoming, int64_t width) {
  int64_t rows = 0;
  with_layout(width, true, [&](auto layout) { rows = row_blocks<decltype(layout)>(incoming, kRowsAGroup); });
  return rows;
}

void run(const EdgeAttentionDelta& op) {
  with_layout(op.width, aligned_16({op.agg, op.grad_agg, op.gathered}), [&](auto layout) {
    using L = decltype(layout);
    launch("edge_attention_delta", delta_kernel<L>, blocks_for(op.rows * L::kLanes, kThreads), kThreads, op.stream, op);
  });
}
void run(const EdgeAttentionBackwardBySource<float>& op) { run_by_source(op); }
void run(const EdgeAttentionBackwardBySource<Bf16>& op) { run_by_source(op); }
void run(const EdgeAttentionBackwardByDestination<float>& op) { run_by_destination(op); }
void run(const EdgeAttentionBackwardByDestination<Bf16>& op) { run_by_destination(op); }

}  // namespace geniepath::kernels::cuda
