// Helpers shared by the vector kernels, compiled once per instruction set (Highway's scheme: no include guard in the
// usual sense). Every kernel file includes it after hwy/foreach_target.h.
#if defined(GENIEPATH_KERNELS_CPU_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GENIEPATH_KERNELS_CPU_SIMD_INL_H_
#undef GENIEPATH_KERNELS_CPU_SIMD_INL_H_
#else
#define GENIEPATH_KERNELS_CPU_SIMD_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/bf16.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FullFloat = hn::ScalableTag<float>;

// Vectors that fit in registers beside a few accumulators.
constexpr size_t kChunk = HWY_MAX_BYTES >= 64 ? 4 : 2;

// Calls body(d, k) for k = 0, step, ...: full vectors first, then shorter and shorter ones, so that nothing outside
// [0, width) is touched and no mask is needed.
template <class Body>
HWY_INLINE void for_each_vector(size_t width, const Body& body) {
  const FullFloat d;
  size_t k = 0;
  for (; width - k >= hn::Lanes(d); k += hn::Lanes(d)) body(d, k);
  const auto rest = [&](auto short_d) {
    if (hn::Lanes(short_d) < hn::Lanes(d) && width - k >= hn::Lanes(short_d)) {
      body(short_d, k);
      k += hn::Lanes(short_d);
    }
  };
  rest(hn::CappedTag<float, 8>());
  rest(hn::CappedTag<float, 4>());
  rest(hn::CappedTag<float, 2>());
  for (; k < width; ++k) body(hn::CappedTag<float, 1>(), k);
}

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const float* from) {
  return hn::LoadU(d, from);
}

template <class D>
HWY_INLINE hn::Vec<D> load([[maybe_unused]] D d, const Bf16* from) {
  const hn::Rebind<uint16_t, D> d16;
  const hn::Rebind<uint32_t, D> d32;
  const auto bits = hn::LoadU(d16, reinterpret_cast<const uint16_t*>(from));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, bits)));
}

template <class D>
HWY_INLINE void store(hn::Vec<D> x, D d, float* to) {
  hn::StoreU(x, d, to);
}

// To nearest, ties to even, as kernels::to_bf16.
template <class D>
HWY_INLINE void store(hn::Vec<D> x, [[maybe_unused]] D d, Bf16* to) {
  const hn::Rebind<uint16_t, D> d16;
  const hn::Rebind<uint32_t, D> d32;
  const hn::Rebind<int32_t, D> i32;
  const auto bits = hn::BitCast(d32, x);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d32, 1u));
  auto upper = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(d32, 0x7fffu))));
  const auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(d32, 0x40u));
  upper = hn::IfThenElse(hn::RebindMask(d32, hn::IsNaN(x)), quiet, upper);
  hn::StoreU(hn::DemoteTo(d16, hn::BitCast(i32, upper)), d16, reinterpret_cast<uint16_t*>(to));
}

// 1 / x within about one unit in the last place: the hardware's estimate and Newton's step r + r (1 - x r).
template <class D>
HWY_INLINE hn::Vec<D> reciprocal(D d, hn::Vec<D> x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return hn::Div(hn::Set(d, 1.0f), x);
#else
  const auto one = hn::Set(d, 1.0f);
  auto r = hn::ApproximateReciprocal(x);
  r = hn::MulAdd(r, hn::NegMulAdd(x, r, one), r);
#if HWY_ARCH_ARM  // starts from 8 bits, not 12 or 14
  r = hn::MulAdd(r, hn::NegMulAdd(x, r, one), r);
#endif
  return r;
#endif
}

// NaN stays NaN, here and below: hn::Exp gives 0 for it, which would hide a diverged model.
template <class D>
HWY_INLINE hn::Vec<D> exponential(D d, hn::Vec<D> x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));
}

// 1 / (1 + exp(-x)), with x clamped so that exp and its reciprocal stay finite.
template <class D>
HWY_INLINE hn::Vec<D> sigmoid(D d, hn::Vec<D> x) {
  const auto limit = hn::Set(d, 87.0f);
  const auto e = hn::Exp(d, hn::Neg(hn::Min(hn::Max(x, hn::Neg(limit)), limit)));
  return hn::IfThenElse(hn::IsNaN(x), x, reciprocal(d, hn::Add(hn::Set(d, 1.0f), e)));
}

// tanh: odd, with small relative error near 0: a series below 0.35, else 1 - 2 / (1 + exp(2|x|)).
template <class D>
HWY_INLINE hn::Vec<D> hyperbolic_tangent(D d, hn::Vec<D> x) {
  const auto one = hn::Set(d, 1.0f);
  const auto size = hn::Min(hn::Abs(x), hn::Set(d, 20.0f));
  const auto e = hn::Exp(d, hn::Add(size, size));
  const auto large = hn::CopySign(hn::NegMulAdd(hn::Set(d, 2.0f), reciprocal(d, hn::Add(e, one)), one), x);
  const auto x2 = hn::Mul(x, x);
  auto series = hn::MulAdd(x2, hn::Set(d, -1382.0f / 155925), hn::Set(d, 62.0f / 2835));
  series = hn::MulAdd(x2, series, hn::Set(d, -17.0f / 315));
  series = hn::MulAdd(x2, series, hn::Set(d, 2.0f / 15));
  series = hn::MulAdd(x2, series, hn::Set(d, -1.0f / 3));
  const auto small = hn::MulAdd(hn::Mul(x, x2), series, x);
  return hn::IfThenElse(hn::Ge(hn::Abs(x), hn::Set(d, 0.35f)), large, small);
}

template <class D>
HWY_INLINE float sum_of(D d, hn::Vec<D> x) {
  return hn::GetLane(hn::SumOfLanes(d, x));
}

HWY_INLINE float dot(const float* a, const float* b, size_t width) {
  const FullFloat d;
  const size_t lanes = hn::Lanes(d);
  auto even = hn::Zero(d), odd = hn::Zero(d);
  size_t k = 0;
  for (; k + 2 * lanes <= width; k += 2 * lanes) {
    even = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), even);
    odd = hn::MulAdd(hn::LoadU(d, a + k + lanes), hn::LoadU(d, b + k + lanes), odd);
  }
  float sum = sum_of(d, hn::Add(even, odd));
  for_each_vector(width - k, [&](auto short_d, size_t rest) HWY_ATTR {
    sum += sum_of(short_d, hn::Mul(hn::LoadU(short_d, a + k + rest), hn::LoadU(short_d, b + k + rest)));
  });
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

// At the end of a kernel file, which is compiled once (HWY_ONCE): defines run(const Op&), which calls `function` as
// compiled for the best instruction set of this machine.
#define GENIEPATH_RUN(Op, function)                              \
  namespace geniepath::kernels::cpu {                            \
  HWY_EXPORT(function);                                          \
  void run(const Op& op) { HWY_DYNAMIC_DISPATCH(function)(op); } \
  }

#endif  // GENIEPATH_KERNELS_CPU_SIMD_INL_H_
