#include "kernels/cuda/sparse_dropout.h"

#include "kernels/cuda/row_groups.cuh"
#include "kernels/dropout.h"

namespace geniepath::kernels::cuda {
namespace {

// One warp per row.
__global__ void __launch_bounds__(kThreads) sparse_dropout_kernel(SparseDropout op) {
  const int64_t row = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / 32;
  if (row >= op.rows.count) return;
  const uint64_t key = dropout_key_after(*op.key.base, op.key.uses), threshold = dropout_threshold(op.rate);
  const auto scale = static_cast<float>(1.0 / (1.0 - op.rate));
  const int64_t end = offset_at(op.rows, row + 1);
  for (int64_t at = offset_at(op.rows, row) + threadIdx.x % 32; at < end; at += 32) {
    const int64_t column = op.rows.neighbour[at];
    const int64_t element = op.transposed ? column * op.columns + row : row * op.columns + column;
    op.out[at] = dropout_keeps(key, static_cast<uint64_t>(element), threshold) ? op.value[at] * scale : 0.0f;
  }
}

}  // namespace

void run(const SparseDropout& op) {
  launch("sparse_dropout", sparse_dropout_kernel, blocks_for(op.rows.count * 32, kThreads), kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
