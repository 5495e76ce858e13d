#include "kernels/cuda/neighbour_max.h"

#include <cmath>

#include "kernels/cuda/merge_pieces.cuh"
#include "kernels/cuda/row_groups.cuh"

namespace geniepath::kernels::cuda {
namespace {

// x > best, or x alone is NaN.
__device__ bool exceeds(float x, float best) { return !(x <= best) && best == best; }

// choice[k] of this lane's elements; the counterpart of load and store for floats.
template <class L>
__device__ void store_choice(int32_t* row, int width, const int32_t (&choice)[L::kVectors][4]) {
  each<L>([&](int m, int c) {
    if (L::first(m) + c < width) row[L::first(m) + c] = choice[m][c];
  });
}

template <class L>
__global__ void __launch_bounds__(kThreads) forward_kernel(NeighbourMaxForward op) {
  const RowWork work = row_work(op.incoming, group_index<L>());
  if (work.row < 0) return;
  const auto width = static_cast<int>(op.width);
  const Gather<L, float> rows(op.x, op.width, op.width);
  const int64_t row_begin = offset_at(op.incoming, work.row);
  Values<L> largest, x;
  int32_t choice[L::kVectors][4];
  largest.fill(-INFINITY);
  each<L>([&](int m, int c) { choice[m][c] = -1; });
  for (int64_t e = work.begin; e < work.end; ++e) {
    const int32_t j = __ldg(op.incoming.neighbour + e);
    if (op.skip_self && j == work.row) continue;
    rows.load(j, x);
    each<L>([&](int m, int c) {
      if (choice[m][c] >= 0 && !exceeds(x.at[m][c], largest.at[m][c])) return;
      largest.at[m][c] = x.at[m][c];
      choice[m][c] = static_cast<int32_t>(e - row_begin);
    });
  }
  const bool whole = work.slot < 0;
  if (whole) {
    each<L>([&](int m, int c) {
      if (choice[m][c] < 0) largest.at[m][c] = 0;
    });
  }
  store<L>(whole ? op.out + work.row * width : op.scratch + work.slot * width, width, largest);
  store_choice<L>(whole ? op.choice + work.row * width : op.choice_scratch + work.slot * width, width, choice);
}

// One block per long row: the first maximum over its pieces, in order.
__global__ void __launch_bounds__(kThreads) merge_max_kernel(NeighbourMaxForward op) {
  const int64_t begin = op.incoming.first_piece[blockIdx.x], end = op.incoming.first_piece[blockIdx.x + 1];
  const int64_t row = op.incoming.long_row[blockIdx.x];
  for (int64_t k = threadIdx.x; k < op.width; k += kThreads) {
    float largest = 0;
    int32_t choice = -1;
    for (int64_t s = begin; s < end; ++s) {
      const int32_t candidate = op.choice_scratch[s * op.width + k];
      const float x = op.scratch[s * op.width + k];
      if (candidate >= 0 && (choice < 0 || exceeds(x, largest))) largest = x, choice = candidate;
    }
    op.out[row * op.width + k] = largest;
    op.choice[row * op.width + k] = choice;
  }
}

template <class L>
__global__ void __launch_bounds__(kThreads) backward_kernel(NeighbourMaxBackward op) {
  const RowWork work = row_work(op.outgoing, group_index<L>());
  if (work.row < 0) return;
  const auto width = static_cast<int>(op.width);
  const Gather<L, float> rows(op.grad_out, op.width, op.width);
  DeviceRows incoming = op.outgoing;
  incoming.offset = op.incoming_offset;
  Values<L> sum, grad;
  sum.fill(0);
  for (int64_t at = work.begin; at < work.end; ++at) {
    const int64_t i = __ldg(op.outgoing.neighbour + at);
    const auto place = static_cast<int32_t>(edge_at(op.outgoing, at) - offset_at(incoming, i));
    rows.load(static_cast<int32_t>(i), grad);
    each<L>([&](int m, int c) {
      const int k = L::first(m) + c;
      if (k < width && __ldg(op.choice + i * width + k) == place) sum.at[m][c] += grad.at[m][c];
    });
  }
  store<L>(work.slot < 0 ? op.grad_x + work.row * width : op.scratch + work.slot * width, width, sum);
}

}  // namespace

void run(const NeighbourMaxForward& op) {
  with_layout(op.width, aligned_16({op.x, op.out, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("neighbour_max_forward", forward_kernel<L>, row_blocks<L>(op.incoming), kThreads, op.stream, op);
  });
  launch("neighbour_max_merge", merge_max_kernel, op.incoming.num_long_rows, kThreads, op.stream, op);
}

void run(const NeighbourMaxBackward& op) {
  with_layout(op.width, aligned_16({op.grad_out, op.grad_x, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("neighbour_max_backward", backward_kernel<L>, row_blocks<L>(op.outgoing), kThreads, op.stream, op);
  });
  merge({op.outgoing, op.width, op.width, op.scratch, op.grad_x, op.width}, op.stream);
}

}  // namespace geniepath::kernels::cuda
