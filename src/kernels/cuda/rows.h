// Compressed rows for CUDA kernels: device pointers, and the pieces of long rows.
//
// One group of lanes processes one row. A row of more than kPieceEdges edges would keep its group busy long after the
// others are done, so it is split into pieces, whose partial results go to slots and are merged in order by a second
// kernel. Pieces depend only on the graph and there are no atomic additions: the same bits from run to run.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/rows.h"

namespace geniepath::kernels::cuda {

constexpr int64_t kPieceEdges = 128;
constexpr int64_t kLargestWidth = 2048;  // of a row that a group of lanes holds

// Offsets and edge ids are int64 where `wide`, else int32 (fewer than 2^31 edges).
struct DeviceRows {
  int64_t count = 0;
  bool wide = true;
  const void* offset = nullptr;
  const int32_t* neighbour = nullptr;
  const void* edge = nullptr;  // null: an edge's id is its position

  int64_t num_pieces = 0;
  const int32_t* piece_row = nullptr;
  const int64_t* piece_begin = nullptr;
  int64_t num_long_rows = 0;
  const int32_t* long_row = nullptr;
  const int32_t* first_piece = nullptr;  // num_long_rows + 1
};

// The arrays that DeviceRows points to, as built on the host.
struct LongRows {
  std::vector<int32_t> piece_row, long_row, first_piece;
  std::vector<int64_t> piece_begin;
};
LongRows cut_long_rows(const Rows& rows);

}  // namespace geniepath::kernels::cuda
