// Assignment of edges to groups of lanes: first the pieces of long rows, then all other rows.
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/vectors.cuh"

namespace geniepath::kernels::cuda {

struct RowWork {
  int64_t row = -1;  // -1: nothing to do
  int64_t begin = 0, end = 0;
  int64_t slot = -1;  // >= 0: a piece, whose partial result goes to this slot
};

__device__ inline int64_t offset_at(const DeviceRows& rows, int64_t row) {
  return rows.wide ? __ldg(static_cast<const int64_t*>(rows.offset) + row)
                   : static_cast<int64_t>(__ldg(static_cast<const int32_t*>(rows.offset) + row));
}
__device__ inline int64_t edge_at(const DeviceRows& rows, int64_t at) {
  if (rows.edge == nullptr) return at;
  return rows.wide ? __ldg(static_cast<const int64_t*>(rows.edge) + at)
                   : static_cast<int64_t>(__ldg(static_cast<const int32_t*>(rows.edge) + at));
}

// Item `work` of num_pieces + count.
__device__ inline RowWork row_work(const DeviceRows& rows, int64_t work) {
  if (work < rows.num_pieces) {
    const int64_t row = rows.piece_row[work], begin = rows.piece_begin[work];
    return {row, begin, min(begin + kPieceEdges, offset_at(rows, row + 1)), work};
  }
  const int64_t row = work - rows.num_pieces;
  if (row >= rows.count) return {};
  const int64_t begin = offset_at(rows, row), end = offset_at(rows, row + 1);
  if (end - begin > kPieceEdges) return {};
  return {row, begin, end, -1};
}

template <class L>
__device__ int64_t group_index() {
  return (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / L::kLanes;
}

// Number of blocks if each group of lanes processes `rows_a_group` pieces or rows.
template <class L>
int64_t row_blocks(const DeviceRows& rows, int64_t rows_a_group = 1) {
  return blocks_for(rows.num_pieces + rows.count, rows_a_group * (kThreads / L::kLanes));
}

}  // namespace geniepath::kernels::cuda
