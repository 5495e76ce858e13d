#include "kernels/cpu/edge_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/edge_attention.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/row_softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

// r = 1 / (1 + p q) = (1 - tanh(a + b)) / 2
template <class D>
HWY_INLINE hn::Vec<D> r_of(D d, hn::Vec<D> p, hn::Vec<D> q) {
  return reciprocal(d, hn::MulAdd(p, q, hn::Set(d, 1.0f)));
}

// For dot_with_rows: weight . r(own, other)
struct ScoreTerm {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V own, V weight, V other, V sum) const {
    return hn::MulAdd(weight, r_of(d, own, other), sum);
  }
};

template <class S>
void run_exp_twice(const ExpTwice<S>& op) {
  parallel_ranges(op.threads, op.count, 1 << 15, [&](int64_t begin, int64_t end) HWY_ATTR {
    for_each_vector(static_cast<size_t>(end - begin), [&](auto d, size_t k) HWY_ATTR {
      const auto limit = hn::Set(d, kLargestExponent);
      const auto twice = hn::Mul(hn::LoadU(d, op.ab + begin + k), hn::Set(d, 2.0f));
      const auto clamped = hn::Min(hn::Max(twice, hn::Neg(limit)), limit);
      store(exponential(d, hn::IfThenElse(hn::IsNaN(twice), twice, clamped)), d, op.pq + begin + k);
    });
  });
}

// Forward ------------------------------------------------------------------------------------------------------------

// Fetches what a row reads of x into the cache, where a neighbour's row is one cache line; longer ones are fetched edge
// by edge where they are read (EdgeRange).
template <class S>
HWY_INLINE void fetch_neighbours(const Rows& rows, int64_t row, const S* x, size_t stride, size_t width) {
  constexpr size_t kLine = 64;
  if (row >= rows.count || width * sizeof(S) > kLine) return;
  for (int64_t e = rows.offset[row]; e < rows.offset[row + 1]; ++e) {
    hwy::Prefetch(x + static_cast<size_t>(rows.neighbour[e]) * stride);
  }
}

// The three steps of attention over some edges of a row. Scores are -2 v . r: a softmax cancels the common sum_k v_k.
template <class S>
struct Attention {
  const EdgeAttentionForward<S>& op;
  const float* minus_2v;

  void score(int64_t row, int64_t begin, int64_t end) const {
    const auto width = static_cast<size_t>(op.width);
    const S* p = op.pq + static_cast<size_t>(row) * 2 * width;
    dot_with_rows<ScoreTerm>(EdgeRange(op.incoming, begin, end), width, p, minus_2v, op.pq + width, 2 * width,
                             op.alpha + begin);
  }
  Softmax normalise(int64_t begin, int64_t end) const {
    return softmax(op.alpha + begin, static_cast<size_t>(end - begin));
  }
  void sum(int64_t begin, int64_t end, float* out) const {
    const auto width = static_cast<size_t>(op.width);
    weighted_sum(EdgeRange(op.incoming, begin, end), width, op.alpha + begin, op.h, width, out);
  }

  // Step by step for several rows, so that no step reads, by vectors, scores that were stored one by one just before.
  // While one step computes, what the next one gathers is on its way: h during the scores, q of the next rows during
  // the sums.
  static constexpr int64_t kRows = 16;
  void attend_rows(int64_t first, int64_t last) const {
    const auto width = static_cast<size_t>(op.width);
    const int64_t* offset = op.incoming.offset;
    for (int64_t row = first; row < last; ++row) {
      fetch_neighbours(op.incoming, row, op.h, width, width);
      score(row, offset[row], offset[row + 1]);
    }
    for (int64_t row = first; row < last; ++row) normalise(offset[row], offset[row + 1]);
    for (int64_t row = first; row < last; ++row) {
      fetch_neighbours(op.incoming, row + kRows, op.pq + width, 2 * width, width);
      sum(offset[row], offset[row + 1], op.agg + row * op.width);
    }
  }
};

// Combines the pieces of a long row, each a softmax of its own, by rescaling to the common maximum and sum.
void merge_pieces(const RowPlan& plan, const LongRow& long_row, const std::vector<Softmax>& parts, size_t width,
                  const std::vector<float>& partial, float* agg, float* alpha) {
  float largest = -std::numeric_limits<float>::infinity(), sum = 0;
  const auto part_of = [&](int64_t t) { return parts[static_cast<size_t>(plan.tasks[static_cast<size_t>(t)].slot)]; };
  for (int64_t t = long_row.task_begin; t < long_row.task_end; ++t) largest = std::max(largest, part_of(t).largest);
  const auto share = [&](int64_t t) { return part_of(t).sum * std::exp(part_of(t).largest - largest); };
  for (int64_t t = long_row.task_begin; t < long_row.task_end; ++t) sum += share(t);
  float* out = agg + static_cast<size_t>(long_row.row) * width;
  std::fill(out, out + width, 0.0f);
  for (int64_t t = long_row.task_begin; t < long_row.task_end; ++t) {
    const RowTask& task = plan.tasks[static_cast<size_t>(t)];
    const float factor = share(t) / sum;
    scale(static_cast<size_t>(task.edge_end - task.edge_begin), factor, alpha + task.edge_begin);
    add_scaled(width, factor, partial.data() + static_cast<size_t>(task.slot) * width, out);
  }
}

template <class S>
void run_forward(const EdgeAttentionForward<S>& op) {
  const auto width = static_cast<size_t>(op.width);
  std::vector<float> minus_2v(op.v, op.v + op.width);
  for (float& x : minus_2v) x *= -2.0f;
  const RowPlan plan = plan_rows(op.incoming);
  std::vector<Softmax> parts(static_cast<size_t>(plan.num_slots));
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * width);
  const Attention<S> attention{op, minus_2v.data()};
  parallel_for(op.threads, static_cast<int64_t>(plan.tasks.size()), [&](int64_t t) HWY_ATTR {
    constexpr int64_t kRows = Attention<S>::kRows;
    const RowTask& task = plan.tasks[static_cast<size_t>(t)];
    if (task.slot < 0) {
      for (int64_t row = task.row_begin; row < task.row_end; row += kRows) {
        attention.attend_rows(row, std::min(row + kRows, task.row_end));
      }
      return;
    }
    attention.score(task.row_begin, task.edge_begin, task.edge_end);
    parts[static_cast<size_t>(task.slot)] = attention.normalise(task.edge_begin, task.edge_end);
    attention.sum(task.edge_begin, task.edge_end, partial.data() + static_cast<size_t>(task.slot) * width);
  });
  parallel_for(op.threads, static_cast<int64_t>(plan.long_rows.size()), [&](int64_t l) HWY_ATTR {
    merge_pieces(plan, plan.long_rows[static_cast<size_t>(l)], parts, width, partial, op.agg, op.alpha);
  });
}

// Backward -----------------------------------------------------------------------------------------------------------

// x *= 4 v: turns sums of ds r (1 - r) into gradients of a or b.
HWY_INLINE void times_4v(size_t width, const float* v, float* x) {
  for_each_vector(width, [&](auto d, size_t k) HWY_ATTR {
    const auto four_v = hn::Mul(hn::Set(d, 4.0f), hn::LoadU(d, v + k));
    hn::StoreU(hn::Mul(four_v, hn::LoadU(d, x + k)), d, x + k);
  });
}

// a . b, summed in the order of dot_with_rows, so that a row with one edge, where agg is h, gets a ds of exactly 0.
HWY_INLINE float dot_as_with_rows(size_t width, const float* a, const float* b) {
  const FullFloat d;
  const size_t lanes = hn::Lanes(d), full = width - width % lanes;
  auto sum = hn::Zero(d);
  for (size_t k = 0; k < full; k += lanes) sum = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum);
  float total = sum_of(d, sum);
  for_each_vector(width - full, [&](auto short_d, size_t k) HWY_ATTR {
    total += sum_of(short_d, hn::Mul(hn::LoadU(short_d, a + full + k), hn::LoadU(short_d, b + full + k)));
  });
  return total;
}

// ds of a row's edges.
template <class S>
void score_gradients(const EdgeAttentionBackwardByDestination<S>& op, const RowPiece& piece) {
  const auto width = static_cast<size_t>(op.width);
  const float* g = op.grad_agg + static_cast<size_t>(piece.row) * width;
  const float* agg = op.agg + static_cast<size_t>(piece.row) * width;
  const EdgeRange edges(op.rows, piece.edge_begin, piece.edge_end);
  dot_with_rows<ProductTerm>(edges, width, g, g, op.h, width, op.grad_score + piece.edge_begin);
  const float delta = dot_as_with_rows(width, g, agg);
  for (int64_t e = piece.edge_begin; e < piece.edge_end; ++e) {
    op.grad_score[e] = op.alpha[e] * (op.grad_score[e] - delta);
    op.alpha_and_score[2 * e] = op.alpha[e];
    op.alpha_and_score[2 * e + 1] = op.grad_score[e];
  }
}

// slope = sum_e ds r (1 - r), and total_r += sum_e ds r, from which grad_v follows: the ds of a row sum to 0, so
// sum_e ds tanh = sum_e ds (1 - 2r) = -2 sum_e ds r.
template <class S>
void sum_over_destination(const EdgeAttentionBackwardByDestination<S>& op, const RowPiece& piece, float* slope,
                          float* total_r) {
  const auto width = static_cast<size_t>(op.width);
  const EdgeRange edges(op.rows, piece.edge_begin, piece.edge_end);
  const S* own = op.pq + static_cast<size_t>(piece.row) * 2 * width;
  for_each_chunk<kChunk>(width, [&](auto d, size_t k, auto vectors) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    constexpr size_t kVectors = decltype(vectors)::value;
    const size_t lanes = hn::Lanes(d);
    V p[kVectors], sum_slope[kVectors], sum_r[kVectors];
    for (size_t c = 0; c < kVectors; ++c) {
      p[c] = load(d, own + k + c * lanes);
      sum_slope[c] = sum_r[c] = hn::Zero(d);
    }
    for (size_t e = 0; e < edges.count; ++e) {
      const S* q = op.pq + static_cast<size_t>(edges.neighbour[e]) * 2 * width + width + k;
      prefetch<kVectors>(d, op.pq + edges.ahead(e, kAhead) * 2 * width + width + k);
      const V ds = hn::Set(d, op.grad_score[static_cast<size_t>(piece.edge_begin) + e]);
      for (size_t c = 0; c < kVectors; ++c) {
        const V r = r_of(d, p[c], load(d, q + c * lanes));
        sum_r[c] = hn::MulAdd(ds, r, sum_r[c]);
        sum_slope[c] = hn::MulAdd(ds, hn::NegMulAdd(r, r, r), sum_slope[c]);
      }
    }
    for (size_t c = 0; c < kVectors; ++c) {
      const size_t at = k + c * lanes;
      hn::StoreU(sum_slope[c], d, slope + at);
      hn::StoreU(hn::Add(sum_r[c], hn::LoadU(d, total_r + at)), d, total_r + at);
    }
  });
}

template <class S>
void run_by_destination(const EdgeAttentionBackwardByDestination<S>& op) {
  const auto width = static_cast<size_t>(op.width);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * width);
  std::vector<float> total_r(plan.tasks.size() * width, 0.0f);  // one row per task, summed in order at the end
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    float* grad_a = piece.whole() ? op.grad_ab + static_cast<size_t>(piece.row) * 2 * width
                                  : partial.data() + static_cast<size_t>(piece.slot) * width;
    score_gradients(op, piece);
    sum_over_destination(op, piece, grad_a, total_r.data() + static_cast<size_t>(piece.task) * width);
    if (piece.whole()) times_4v(width, op.v, grad_a);
  });
  add_pieces(plan, width, partial, op.grad_ab, 2 * width);
  for (const LongRow& row : plan.long_rows)
    times_4v(width, op.v, op.grad_ab + static_cast<size_t>(row.row) * 2 * width);
  std::fill(op.grad_v, op.grad_v + width, 0.0f);
  for (size_t t = 0; t < plan.tasks.size(); ++t) add_scaled(width, -2.0f, total_r.data() + t * width, op.grad_v);
}

// slope = sum_e ds r (1 - r) and grad_h = sum_e alpha g[i] over the edges of a source's row.
template <class S>
void sum_over_source(const EdgeAttentionBackwardBySource<S>& op, const RowPiece& piece, float* slope, float* grad_h) {
  const auto width = static_cast<size_t>(op.width);
  const EdgeRange edges(op.rows, piece.edge_begin, piece.edge_end);
  const S* own = op.pq + static_cast<size_t>(piece.row) * 2 * width + width;
  const auto pair_of = [&](size_t e) {  // alpha and ds
    const int64_t at = piece.edge_begin + static_cast<int64_t>(std::min(e, edges.last));
    return op.alpha_and_score + 2 * op.rows.edge_id(at);
  };
  for_each_chunk<kChunk>(width, [&](auto d, size_t k, auto vectors) HWY_ATTR {
    using V = hn::Vec<decltype(d)>;
    constexpr size_t kVectors = decltype(vectors)::value;
    const size_t lanes = hn::Lanes(d);
    V q[kVectors], sum_slope[kVectors], sum_h[kVectors];
    for (size_t c = 0; c < kVectors; ++c) {
      q[c] = load(d, own + k + c * lanes);
      sum_slope[c] = sum_h[c] = hn::Zero(d);
    }
    for (size_t e = 0; e < edges.count; ++e) {
      const auto i = static_cast<size_t>(edges.neighbour[e]), next = edges.ahead(e, kAhead);
      prefetch<kVectors>(d, op.pq + next * 2 * width + k);
      prefetch<kVectors>(d, op.grad_agg + next * width + k);
      hwy::Prefetch(pair_of(e + kAhead));
      const float* pair = pair_of(e);
      const V weight = hn::Set(d, pair[0]), ds = hn::Set(d, pair[1]);
      const S *p = op.pq + i * 2 * width + k, *g = op.grad_agg + i * width + k;
      for (size_t c = 0; c < kVectors; ++c) {
        const V r = r_of(d, load(d, p + c * lanes), q[c]);
        sum_slope[c] = hn::MulAdd(ds, hn::NegMulAdd(r, r, r), sum_slope[c]);
        sum_h[c] = hn::MulAdd(weight, load(d, g + c * lanes), sum_h[c]);
      }
    }
    for (size_t c = 0; c < kVectors; ++c) {
      hn::StoreU(sum_slope[c], d, slope + k + c * lanes);
      hn::StoreU(sum_h[c], d, grad_h + k + c * lanes);
    }
  });
}

template <class S>
void run_by_source(const EdgeAttentionBackwardBySource<S>& op) {
  const auto width = static_cast<size_t>(op.width);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<float> partial_b(static_cast<size_t>(plan.num_slots) * width), partial_h(partial_b.size());
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    if (!piece.whole()) {
      const size_t at = static_cast<size_t>(piece.slot) * width;
      return sum_over_source(op, piece, partial_b.data() + at, partial_h.data() + at);
    }
    float* grad_b = op.grad_ab + static_cast<size_t>(piece.row) * 2 * width + width;
    sum_over_source(op, piece, grad_b, op.grad_h + static_cast<size_t>(piece.row) * width);
    times_4v(width, op.v, grad_b);
  });
  float* all_grad_b = op.grad_ab + width;
  add_pieces(plan, width, partial_b, all_grad_b, 2 * width);
  add_pieces(plan, width, partial_h, op.grad_h, width);
  for (const LongRow& row : plan.long_rows)
    times_4v(width, op.v, all_grad_b + static_cast<size_t>(row.row) * 2 * width);
}

}  // namespace

// Run-time dispatch needs plain functions: one per storage type.
void exp_twice_f32(const ExpTwice<float>& op) { run_exp_twice(op); }
void exp_twice_bf16(const ExpTwice<Bf16>& op) { run_exp_twice(op); }
void forward_f32(const EdgeAttentionForward<float>& op) { run_forward(op); }
void forward_bf16(const EdgeAttentionForward<Bf16>& op) { run_forward(op); }
void by_destination_f32(const EdgeAttentionBackwardByDestination<float>& op) { run_by_destination(op); }
void by_destination_bf16(const EdgeAttentionBackwardByDestination<Bf16>& op) { run_by_destination(op); }
void by_source_f32(const EdgeAttentionBackwardBySource<float>& op) { run_by_source(op); }
void by_source_bf16(const EdgeAttentionBackwardBySource<Bf16>& op) { run_by_source(op); }

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(ExpTwice<float>, exp_twice_f32)
GENIEPATH_RUN(ExpTwice<Bf16>, exp_twice_bf16)
GENIEPATH_RUN(EdgeAttentionForward<float>, forward_f32)
GENIEPATH_RUN(EdgeAttentionForward<Bf16>, forward_bf16)
GENIEPATH_RUN(EdgeAttentionBackwardByDestination<float>, by_destination_f32)
GENIEPATH_RUN(EdgeAttentionBackwardByDestination<Bf16>, by_destination_bf16)
GENIEPATH_RUN(EdgeAttentionBackwardBySource<float>, by_source_f32)
GENIEPATH_RUN(EdgeAttentionBackwardBySource<Bf16>, by_source_bf16)
#endif
