#include "kernels/cpu/dropout.h"

#include "base/parallel_for.h"

namespace geniepath::kernels::cpu {

void run(const SparseDropout& op) {
  constexpr int64_t kRowsAtOnce = 256;
  const uint64_t threshold = dropout_threshold(op.rate);
  const auto keep = static_cast<float>(1.0 / (1.0 - op.rate));
  parallel_ranges(op.threads, op.rows.count, kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      for (int64_t at = op.rows.offset[r]; at < op.rows.offset[r + 1]; ++at) {
        const int64_t c = op.rows.neighbour[at];
        const auto element = static_cast<uint64_t>(op.transposed ? c * op.columns + r : r * op.columns + c);
        op.out[at] = op.value[at] * (dropout_keeps(op.key, element, threshold) ? keep : 0.0f);
      }
    }
  });
}

}  // namespace geniepath::kernels::cpu
