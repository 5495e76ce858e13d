#include "kernels/cpu/neighbour_max.h"

#include <algorithm>
#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/neighbour_max.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/row_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

// x > best, or x alone is NaN.
template <class V>
HWY_INLINE auto exceeds(V x, V best) {
  return hn::AndNot(hn::Le(x, best), hn::Eq(best, best));
}
bool exceeds(float x, float best) { return !(x <= best) && !std::isnan(best); }

// The first edge that counts; edges.count if none does.
size_t first_edge(const NeighbourMaxForward& op, const EdgeRange& edges, int64_t row) {
  size_t e = 0;
  while (e < edges.count && op.skip_self && edges.neighbour[e] == row) ++e;
  return e;
}

// Maximum over a piece's neighbours; 0 and -1 if it has none.
void best_of(const NeighbourMaxForward& op, const RowPiece& piece, float* best_out, int32_t* choice_out) {
  const auto width = static_cast<size_t>(op.width);
  const EdgeRange edges(op.incoming, piece.edge_begin, piece.edge_end);
  const int64_t first_place = piece.edge_begin - op.incoming.offset[piece.row];
  const size_t first = first_edge(op, edges, piece.row);
  for_each_chunk<kChunk>(width, [&](auto d, size_t k, auto vectors) HWY_ATTR {
    constexpr size_t kVectors = decltype(vectors)::value;
    const hn::RebindToSigned<decltype(d)> places;
    const size_t lanes = hn::Lanes(d);
    hn::Vec<decltype(d)> best[kVectors];
    hn::Vec<decltype(places)> choice[kVectors];
    const auto place_of = [&](size_t e) HWY_ATTR {
      return hn::Set(places, static_cast<int32_t>(first_place + static_cast<int64_t>(e)));
    };
    const auto row_of = [&](size_t e) { return op.x + static_cast<size_t>(edges.neighbour[e]) * width + k; };
    const bool any = first < edges.count;
    for (size_t c = 0; c < kVectors; ++c) {
      best[c] = any ? hn::LoadU(d, row_of(first) + c * lanes) : hn::Zero(d);
      choice[c] = any ? place_of(first) : hn::Set(places, -1);
    }
    for (size_t e = first + 1; e < edges.count; ++e) {
      if (op.skip_self && edges.neighbour[e] == piece.row) continue;
      prefetch<kVectors>(d, op.x + edges.ahead(e, kAhead) * width + k);
      const float* row = row_of(e);
      const auto place = place_of(e);
      for (size_t c = 0; c < kVectors; ++c) {
        const auto x = hn::LoadU(d, row + c * lanes);
        const auto better = exceeds(x, best[c]);
        best[c] = hn::IfThenElse(better, x, best[c]);
        choice[c] = hn::IfThenElse(hn::RebindMask(places, better), place, choice[c]);
      }
    }
    for (size_t c = 0; c < kVectors; ++c) {
      hn::StoreU(best[c], d, best_out + k + c * lanes);
      hn::StoreU(choice[c], places, choice_out + k + c * lanes);
    }
  });
}

// Sums the gradients of the maxima attained by the edges of a source's row.
void collect(const NeighbourMaxBackward& op, const RowPiece& piece, float* grad_x) {
  const auto width = static_cast<size_t>(op.width);
  const EdgeRange edges(op.outgoing, piece.edge_begin, piece.edge_end);
  for_each_chunk<kChunk>(width, [&](auto d, size_t k, auto vectors) HWY_ATTR {
    constexpr size_t kVectors = decltype(vectors)::value;
    const hn::RebindToSigned<decltype(d)> places;
    const size_t lanes = hn::Lanes(d);
    hn::Vec<decltype(d)> sum[kVectors];
    for (size_t c = 0; c < kVectors; ++c) sum[c] = hn::Zero(d);
    for (size_t e = 0; e < edges.count; ++e) {
      const auto i = static_cast<size_t>(edges.neighbour[e]), next = edges.ahead(e, kAhead);
      prefetch<kVectors>(d, op.grad_out + next * width + k);
      prefetch<kVectors>(d, op.choice + next * width + k);
      const int64_t edge = op.outgoing.edge_id(piece.edge_begin + static_cast<int64_t>(e));
      const auto place = hn::Set(places, static_cast<int32_t>(edge - op.incoming_offset[i]));
      for (size_t c = 0; c < kVectors; ++c) {
        const size_t at = i * width + k + c * lanes;
        const auto chosen = hn::RebindMask(d, hn::Eq(hn::LoadU(places, op.choice + at), place));
        sum[c] = hn::Add(sum[c], hn::IfThenElseZero(chosen, hn::LoadU(d, op.grad_out + at)));
      }
    }
    for (size_t c = 0; c < kVectors; ++c) hn::StoreU(sum[c], d, grad_x + k + c * lanes);
  });
}

}  // namespace

void neighbour_max_forward(const NeighbourMaxForward& op) {
  const auto width = static_cast<size_t>(op.width);
  const RowPlan plan = plan_rows(op.incoming);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * width);
  std::vector<int32_t> partial_choice(partial.size());
  for_each_row(plan, op.incoming, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    if (!piece.whole()) {
      const size_t at = static_cast<size_t>(piece.slot) * width;
      return best_of(op, piece, partial.data() + at, partial_choice.data() + at);
    }
    const size_t at = static_cast<size_t>(piece.row) * width;
    best_of(op, piece, op.out + at, op.choice + at);
  });
  for (const LongRow& row : plan.long_rows) {
    float* best = op.out + static_cast<size_t>(row.row) * width;
    int32_t* choice = op.choice + static_cast<size_t>(row.row) * width;
    std::fill(best, best + width, 0.0f);
    std::fill(choice, choice + width, -1);
    for (int64_t t = row.task_begin; t < row.task_end; ++t) {
      const size_t from = static_cast<size_t>(plan.tasks[static_cast<size_t>(t)].slot) * width;
      for (size_t k = 0; k < width; ++k) {
        const int32_t candidate = partial_choice[from + k];
        if (candidate < 0 || (choice[k] >= 0 && !exceeds(partial[from + k], best[k]))) continue;
        best[k] = partial[from + k], choice[k] = candidate;
      }
    }
  }
}

void neighbour_max_backward(const NeighbourMaxBackward& op) {
  const auto width = static_cast<size_t>(op.width);
  const RowPlan plan = plan_rows(op.outgoing);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * width);
  for_each_row(plan, op.outgoing, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    collect(op, piece,
            piece.whole() ? op.grad_x + static_cast<size_t>(piece.row) * width
                          : partial.data() + static_cast<size_t>(piece.slot) * width);
  });
  add_pieces(plan, width, partial, op.grad_x, width);
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(NeighbourMaxForward, neighbour_max_forward)
GENIEPATH_RUN(NeighbourMaxBackward, neighbour_max_backward)
#endif
