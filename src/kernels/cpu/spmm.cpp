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

void spmm(const Spmm& op) {
  const auto width = static_cast<size_t>(op.width);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * width);
  std::vector<float> ones;
  if (op.value == nullptr) {
    int64_t longest = 0;
    for (int64_t r = 0; r < op.rows.count; ++r) longest = std::max(longest, op.rows.offset[r + 1] - op.rows.offset[r]);
    ones.assign(static_cast<size_t>(longest), 1.0f);
  }
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    const EdgeRange entries(op.rows, piece.edge_begin, piece.edge_end);
    const float* weight = op.value == nullptr ? ones.data() : op.value + piece.edge_begin;
    float* out = piece.whole() ? op.out + static_cast<size_t>(piece.row) * width
                               : partial.data() + static_cast<size_t>(piece.slot) * width;
    weighted_sum(entries, width, weight, op.x, width, out);
  });
  add_pieces(plan, width, partial, op.out, width);
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace geniepath::kernels::cpu {

HWY_EXPORT(spmm);
void run(const Spmm& op) { HWY_DYNAMIC_DISPATCH(spmm)(op); }

}  // namespace geniepath::kernels::cpu
#endif  // HWY_ONCE
