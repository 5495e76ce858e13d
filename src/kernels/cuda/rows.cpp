#include "kernels/cuda/rows.h"

namespace geniepath::kernels::cuda {

LongRows cut_long_rows(const Rows& rows) {
  LongRows cut;
  for (int64_t row = 0; row < rows.count; ++row) {
    const int64_t begin = rows.offset[row], end = rows.offset[row + 1];
    if (end - begin <= kPieceEdges) continue;
    cut.long_row.push_back(static_cast<int32_t>(row));
    cut.first_piece.push_back(static_cast<int32_t>(cut.piece_row.size()));
    for (int64_t at = begin; at < end; at += kPieceEdges) {
      cut.piece_row.push_back(static_cast<int32_t>(row));
      cut.piece_begin.push_back(at);
    }
  }
  cut.first_piece.push_back(static_cast<int32_t>(cut.piece_row.size()));
  return cut;
}

}  // namespace geniepath::kernels::cuda
