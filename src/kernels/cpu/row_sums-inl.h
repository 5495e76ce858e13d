// Sums over the neighbours of a row, with accumulators in registers; compiled once per instruction set.
#if defined(GENIEPATH_KERNELS_CPU_ROW_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GENIEPATH_KERNELS_CPU_ROW_SUMS_INL_H_
#undef GENIEPATH_KERNELS_CPU_ROW_SUMS_INL_H_
#else
#define GENIEPATH_KERNELS_CPU_ROW_SUMS_INL_H_
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <vector>

#include "base/parallel_for.h"
#include "kernels/cpu/simd-inl.h"
#include "kernels/rows.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {

// Edges [begin, end) of one row. Gathered rows are prefetched: the next edges in memory are processed next, whether of
// this row or of the following ones. Passed by reference: a copy of fresh members by wider loads waits until all
// earlier stores have reached the cache.
struct EdgeRange {
  const int32_t* neighbour;  // of the edge `begin`
  size_t count;
  size_t last;  // the very last edge, counted from `begin`
  EdgeRange(const Rows& rows, int64_t begin, int64_t end)
      : neighbour(rows.neighbour + begin),
        count(static_cast<size_t>(end - begin)),
        last(static_cast<size_t>(std::max<int64_t>(rows.num_edges() - 1 - begin, 0))) {}
  size_t ahead(size_t e, size_t distance) const { return static_cast<size_t>(neighbour[std::min(e + distance, last)]); }
};

constexpr size_t kAhead = 10;  // edges: about as many cache lines as a core keeps in flight

template <size_t Vectors, class D, class S>
HWY_INLINE void prefetch(D d, const S* row) {
  const size_t lines = (Vectors * hn::Lanes(d) * sizeof(S) + 63) / 64;
  for (size_t line = 0; line < lines; ++line) hwy::Prefetch(reinterpret_cast<const char*>(row) + line * 64);
}

// Walks [0, width) in chunks: body(d, k, Vectors) with Vectors vectors of d at a time, the rest one by one.
template <size_t Vectors, class Body>
HWY_INLINE void for_each_chunk(size_t width, const Body& body) {
  const FullFloat d;
  const size_t step = Vectors * hn::Lanes(d);
  size_t k = 0;
  for (; k + step <= width; k += step) body(d, k, std::integral_constant<size_t, Vectors>());
  for_each_vector(width - k, [&](auto short_d, size_t at)
                                 HWY_ATTR { body(short_d, k + at, std::integral_constant<size_t, 1>()); });
}

// out[k] = sum_e weight[e] x[neighbour_e][k]; x has `stride` elements per row.
template <class S>
void weighted_sum(const EdgeRange& edges, size_t width, const float* weight, const S* x, size_t stride, float* out) {
  for_each_chunk<4>(width, [&](auto d, size_t k, auto vectors) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    constexpr size_t kVectors = decltype(vectors)::value;
    const size_t lanes = hn::Lanes(d);
    V sum[kVectors];
    for (size_t c = 0; c < kVectors; ++c) sum[c] = hn::Zero(d);
    for (size_t e = 0; e < edges.count; ++e) {
      const S* row = x + static_cast<size_t>(edges.neighbour[e]) * stride + k;
      prefetch<kVectors>(d, x + edges.ahead(e, kAhead) * stride + k);
      const V w = hn::Set(d, weight[e]);
      for (size_t c = 0; c < kVectors; ++c) sum[c] = hn::MulAdd(w, load(d, row + c * lanes), sum[c]);
    }
    for (size_t c = 0; c < kVectors; ++c) hn::StoreU(sum[c], d, out + k + c * lanes);
  });
}

// A whole row, or a piece of a long one whose result goes to a slot.
struct RowPiece {
  int64_t row, edge_begin, edge_end;
  int64_t slot;  // -1: the whole row
  int64_t task;
  bool whole() const { return slot < 0; }
};

template <class Body>
void for_each_row(const RowPlan& plan, const Rows& rows, int threads, const Body& body) {
  parallel_for(threads, static_cast<int64_t>(plan.tasks.size()), [&](int64_t t) HWY_ATTR {
    const RowTask& task = plan.tasks[static_cast<size_t>(t)];
    if (task.slot >= 0) return body(RowPiece{task.row_begin, task.edge_begin, task.edge_end, task.slot, t});
    for (int64_t row = task.row_begin; row < task.row_end; ++row) {
      body(RowPiece{row, rows.offset[row], rows.offset[row + 1], -1, t});
    }
  });
}

// out += factor * x
HWY_INLINE void add_scaled(size_t width, float factor, const float* x, float* out) {
  for_each_vector(width, [&](auto d, size_t k) HWY_ATTR {
    hn::StoreU(hn::MulAdd(hn::Set(d, factor), hn::LoadU(d, x + k), hn::LoadU(d, out + k)), d, out + k);
  });
}

HWY_INLINE void scale(size_t width, float factor, float* x) {
  for_each_vector(width, [&](auto d, size_t k)
                             HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + k), hn::Set(d, factor)), d, x + k); });
}

// Sums the pieces of every long row into its row of `out`, in order.
HWY_INLINE void add_pieces(const RowPlan& plan, size_t width, const std::vector<float>& partial, float* out,
                           size_t stride) {
  for (const LongRow& row : plan.long_rows) {
    float* to = out + static_cast<size_t>(row.row) * stride;
    std::fill(to, to + width, 0.0f);
    for (int64_t t = row.task_begin; t < row.task_end; ++t) {
      const auto slot = static_cast<size_t>(plan.tasks[static_cast<size_t>(t)].slot);
      add_scaled(width, 1.0f, partial.data() + slot * width, to);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#endif  // GENIEPATH_KERNELS_CPU_ROW_SUMS_INL_H_
