// Combines the pieces of long rows, in order.
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/rows.h"

namespace geniepath::kernels::cuda {

// out[row] = sum of the row's pieces, each [width] at scratch + piece * stride.
struct MergePieces {
  DeviceRows rows;
  int64_t width, stride;
  const float* scratch;
  float* out;
  int64_t out_stride;
};

// One block per long row.
static __global__ void __launch_bounds__(kThreads) merge_pieces_kernel(MergePieces op) {
  const int64_t begin = op.rows.first_piece[blockIdx.x], end = op.rows.first_piece[blockIdx.x + 1];
  for (int64_t k = threadIdx.x; k < op.width; k += kThreads) {
    float total = 0;
    for (int64_t s = begin; s < end; ++s) total += op.scratch[s * op.stride + k];
    op.out[op.rows.long_row[blockIdx.x] * op.out_stride + k] = total;
  }
}

inline void merge(const MergePieces& op, Stream stream) {
  launch("merge_pieces", merge_pieces_kernel, op.rows.num_long_rows, kThreads, stream, op);
}

}  // namespace geniepath::kernels::cuda
