#include "kernels/cpu/dropout.h"

#include "base/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/dropout.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {

// Compilers vectorise the hash's 64-bit arithmetic for the target instruction set by themselves.
void dropout(const Dropout& op) {
  const uint64_t threshold = dropout_threshold(op.rate);
  const auto keep = static_cast<float>(1.0 / (1.0 - op.rate));
  parallel_ranges(op.threads, op.count, 1 << 15, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t n = begin; n < end; ++n) {
      op.y[n] = op.x[n] * (dropout_keeps(op.key, static_cast<uint64_t>(n), threshold) ? keep : 0.0f);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(Dropout, dropout)
#endif
