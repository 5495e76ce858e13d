#include "kernels/cuda/dropout.h"

#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/row_groups.cuh"

namespace geniepath::kernels::cuda {
namespace {

template <int kWide>
__global__ void __launch_bounds__(kThreads) dropout_kernel(Dropout op) {
  const int64_t n = first_of_thread(kWide);
  if (n >= op.count) return;
  const uint64_t key = dropout_key_after(*op.key.base, op.key.uses), threshold = dropout_threshold(op.rate);
  const auto scale = static_cast<float>(1.0 / (1.0 - op.rate));
  float x[kWide];
  load_some<kWide>(op.x + n, x);
#pragma unroll
  for (int c = 0; c < kWide; ++c) {
    x[c] = dropout_keeps(key, static_cast<uint64_t>(n + c), threshold) ? x[c] * scale : 0.0f;
  }
  store_some<kWide>(op.y + n, x);
}

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

void run(const Dropout& op) {
  const bool fours = op.count % 4 == 0 && aligned_16({op.x, op.y});
  launch_elementwise("dropout", dropout_kernel<4>, dropout_kernel<1>, fours, op.count, op);
}

void run(const SparseDropout& op) {
  launch("sparse_dropout", sparse_dropout_kernel, blocks_for(op.rows.count * 32, kThreads), kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
