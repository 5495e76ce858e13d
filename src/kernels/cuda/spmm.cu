#include "kernels/cuda/spmm.h"

#include "kernels/cuda/merge_pieces.cuh"
#include "kernels/cuda/row_groups.cuh"

namespace geniepath::kernels::cuda {
namespace {

template <class L>
__global__ void __launch_bounds__(kThreads, kResidentBlocks<L>) spmm_kernel(Spmm op) {
  const RowWork work = row_work(op.rows, group_index<L>());
  if (work.row < 0) return;
  const auto width = static_cast<int>(op.width);
  const Gather<L, float> rows(op.x, op.width, op.width);
  Values<L> sum;
  sum.fill(0);
  for (int64_t e = work.begin; e < work.end; e += L::kLanes) {
    const auto count = static_cast<int>(min(work.end - e, int64_t{L::kLanes}));
    const int64_t at = e + min(L::lane(), count - 1);
    const int32_t column = __ldg(op.rows.neighbour + at);
    float value = 0;
    if (L::lane() < count) value = op.value == nullptr ? 1.0f : __ldg(op.value + edge_at(op.rows, at));
    if (op.column_scale != nullptr) value *= __ldg(op.column_scale + column);
    for (int from = 0; from < count; from += 4) {
      Values<L> x[4];
#pragma unroll
      for (int b = 0; b < 4; ++b) rows.load(broadcast<L>(column, from + b), x[b]);
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        const float of_entry = broadcast<L>(value, from + b);
        each<L>([&](int m, int c) { sum.at[m][c] = fmaf(of_entry, x[b].at[m][c], sum.at[m][c]); });
      }
    }
  }
  if (op.row_scale != nullptr) each<L>([&](int m, int c) { sum.at[m][c] *= op.row_scale[work.row]; });
  store<L>(work.slot < 0 ? op.out + work.row * width : op.scratch + work.slot * width, width, sum);
}

}  // namespace

void run(const Spmm& op) {
  with_layout(op.width, aligned_16({op.x, op.out, op.scratch}), [&](auto layout) {
    using L = decltype(layout);
    launch("spmm", spmm_kernel<L>, row_blocks<L>(op.rows), kThreads, op.stream, op);
  });
  merge({op.rows, op.width, op.width, op.scratch, op.out, op.width}, op.stream);
}

}  // namespace geniepath::kernels::cuda
