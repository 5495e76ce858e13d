#include "kernels/cpu/pair_loss.h"

#include "base/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/pair_loss.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int64_t kRowsAtOnce = 64;

// On entry, slope holds the scores.
HWY_INLINE float weigh(const float* weight, float* slope, size_t count) {
  float loss = 0;
  for_each_vector(count, [&](auto d, size_t at) HWY_ATTR {
    const auto w = hn::LoadU(d, weight + at), score = hn::LoadU(d, slope + at);
    const auto against = hn::IfThenElse(hn::Gt(w, hn::Zero(d)), hn::Neg(score), score);
    hn::StoreU(hn::Neg(hn::Mul(w, sigmoid(d, against))), d, slope + at);
    const auto tail = hn::Log1p(d, exponential(d, hn::Neg(hn::Abs(against))));
    loss += sum_of(d, hn::Mul(hn::Abs(w), hn::Add(hn::Max(against, hn::Zero(d)), tail)));
  });
  return loss;
}

}  // namespace

void pair_loss(const PairLoss& op) {
  const auto width = static_cast<size_t>(op.width);
  parallel_ranges(op.threads, op.pairs.count, kRowsAtOnce, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t u = begin; u < end; ++u) {
      const int64_t first = op.pairs.offset[u], last = op.pairs.offset[u + 1];
      const float* row = op.z + u * op.width;
      for (int64_t at = first; at < last; ++at) {
        op.slope[at] = dot(row, op.z + op.pairs.neighbour[at] * op.width, width);
      }
      const float loss = weigh(op.weight + first, op.slope + first, static_cast<size_t>(last - first));
      if (op.loss != nullptr) op.loss[u] = loss;
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(PairLoss, pair_loss)
#endif
