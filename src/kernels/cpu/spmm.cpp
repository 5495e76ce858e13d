#include "kernels/cpu/spmm.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/spmm.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/row_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

// Weights of a piece's entries: `value` itself where no scale applies, else an array private to the thread.
const float* entry_weights(const Spmm& op, const RowPiece& piece) {
  if (op.value != nullptr && op.column_scale == nullptr) return op.value + piece.edge_begin;
  static thread_local std::vector<float> weights;
  weights.assign(static_cast<size_t>(piece.edge_end - piece.edge_begin), 1.0f);
  if (op.column_scale == nullptr) return weights.data();
  for (size_t e = 0; e < weights.size(); ++e) {
    const int64_t at = piece.edge_begin + static_cast<int64_t>(e);
    weights[e] = op.column_scale[op.rows.neighbour[at]] * (op.value == nullptr ? 1.0f : op.value[at]);
  }
  return weights.data();
}

}  // namespace

void spmm(const Spmm& op) {
  const auto width = static_cast<size_t>(op.width);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * width);
  const auto row_of = [&](int64_t row) { return op.out + static_cast<size_t>(row) * width; };
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    const EdgeRange entries(op.rows, piece.edge_begin, piece.edge_end);
    float* out = piece.whole() ? row_of(piece.row) : partial.data() + static_cast<size_t>(piece.slot) * width;
    weighted_sum(entries, width, entry_weights(op, piece), op.x, width, out);
    if (piece.whole() && op.row_scale != nullptr) scale(width, op.row_scale[piece.row], out);
  });
  add_pieces(plan, width, partial, op.out, width);
  if (op.row_scale == nullptr) return;
  for (const LongRow& row : plan.long_rows) scale(width, op.row_scale[row.row], row_of(row.row));
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(Spmm, spmm)
#endif
