#include "kernels/cpu/elementwise.h"

#include "base/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/elementwise.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int64_t kGrain = 1 << 15;

}  // namespace

void to_bf16_storage(const ToBf16& op) {
  parallel_ranges(op.threads, op.count, kGrain, [&](int64_t begin, int64_t end) HWY_ATTR {
    for_each_vector(static_cast<size_t>(end - begin), [&](auto d, size_t k) HWY_ATTR {
      store(hn::LoadU(d, op.from + begin + k), d, op.to + begin + k);
    });
  });
}

void tanh_forward(const TanhForward& op) {
  const auto width = static_cast<size_t>(op.width);
  const int64_t rows_at_once = 1 + kGrain / (op.width + 1);
  parallel_ranges(op.threads, op.rows, rows_at_once, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t row = begin; row < end; ++row) {
      float* y = op.y + static_cast<size_t>(row) * width;
      for_each_vector(width, [&](auto d, size_t k) HWY_ATTR {
        auto x = hn::LoadU(d, y + k);
        if (op.bias != nullptr) x = hn::Add(x, hn::LoadU(d, op.bias + k));
        hn::StoreU(hyperbolic_tangent(d, x), d, y + k);
      });
    }
  });
}

void tanh_backward(const TanhBackward& op) {
  parallel_ranges(op.threads, op.count, kGrain, [&](int64_t begin, int64_t end) HWY_ATTR {
    for_each_vector(static_cast<size_t>(end - begin), [&](auto d, size_t k) HWY_ATTR {
      const auto y = hn::LoadU(d, op.y + begin + k);
      const auto slope = hn::NegMulAdd(y, y, hn::Set(d, 1.0f));
      hn::StoreU(hn::Mul(hn::LoadU(d, op.grad_y + begin + k), slope), d, op.grad_x + begin + k);
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(ToBf16, to_bf16_storage)
GENIEPATH_RUN(TanhForward, tanh_forward)
GENIEPATH_RUN(TanhBackward, tanh_backward)
#endif
