// Scores of a row's edges and their softmax, shared by the attention kernels; compiled once per instruction set.
#if defined(GENIEPATH_KERNELS_CPU_ROW_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GENIEPATH_KERNELS_CPU_ROW_SOFTMAX_INL_H_
#undef GENIEPATH_KERNELS_CPU_ROW_SOFTMAX_INL_H_
#else
#define GENIEPATH_KERNELS_CPU_ROW_SOFTMAX_INL_H_
#endif

#include <limits>

#include "kernels/cpu/row_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {

constexpr size_t kEdgesAtOnce = 4;  // in dot products, to share the loads of the row's own vector

// Term functors for dot_with_rows: the contribution of one element of the row's own vector and of a neighbour's row.
struct ProductTerm {  // own . other
  template <class D, class V>
  HWY_INLINE V operator()(D, V own, V, V other, V sum) const {
    return hn::MulAdd(own, other, sum);
  }
};
// out[e] = sum_k term(own[k], weight[k], x[neighbour_e][k]). Prefetches the rows of the next edges.
template <class Term, class O, class S>
void dot_with_rows(const EdgeRange& edges, size_t width, const O* own, const float* weight, const S* x, size_t stride,
                   float* out) {
  const FullFloat d;
  const Term term;
  const size_t lanes = hn::Lanes(d), full = width - width % lanes;
  const size_t ahead =
      width * sizeof(S) <= 512 ? 3 * kEdgesAtOnce : kEdgesAtOnce;  // short rows: more of them at a time
  const auto row_of = [&](size_t e) { return x + edges.ahead(e, 0) * stride; };
  for (size_t first = 0; first < edges.count; first += kEdgesAtOnce) {
    const S *row[kEdgesAtOnce], *next[kEdgesAtOnce];
    hn::Vec<FullFloat> sum[kEdgesAtOnce];
    for (size_t e = 0; e < kEdgesAtOnce; ++e) {
      row[e] = row_of(first + e);
      next[e] = row_of(first + e + ahead);
      sum[e] = hn::Zero(d);
    }
    for (size_t k = 0; k < full; k += lanes) {
      const auto mine = load(d, own + k);
      const auto w = hn::LoadU(d, weight + k);
      for (size_t e = 0; e < kEdgesAtOnce; ++e) {
        hwy::Prefetch(next[e] + k);
        sum[e] = term(d, mine, w, load(d, row[e] + k), sum[e]);
      }
    }
    for (size_t e = 0; e < std::min(kEdgesAtOnce, edges.count - first); ++e) {
      float total = sum_of(d, sum[e]);
      for_each_vector(width - full, [&](auto short_d, size_t k) HWY_ATTR {
        const auto mine = load(short_d, own + full + k);
        const auto w = hn::LoadU(short_d, weight + full + k);
        total += sum_of(short_d, term(short_d, mine, w, load(short_d, row[e] + full + k), hn::Zero(short_d)));
      });
      out[first + e] = total;
    }
  }
}

// Turns scores into exp(score - largest) / sum in place.
struct Softmax {
  float largest, sum;
};
inline Softmax softmax(float* score, size_t count) {
  float largest = -std::numeric_limits<float>::infinity();
  for (size_t e = 0; e < count; ++e) largest = std::max(largest, score[e]);
  float sum = 0;
  for_each_vector(count, [&](auto d, size_t e) HWY_ATTR {
    const auto w = exponential(d, hn::Sub(hn::LoadU(d, score + e), hn::Set(d, largest)));
    hn::StoreU(w, d, score + e);
    sum += sum_of(d, w);
  });
  if (count > 0) scale(count, 1.0f / sum, score);
  return {largest, sum};
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#endif  // GENIEPATH_KERNELS_CPU_ROW_SOFTMAX_INL_H_
