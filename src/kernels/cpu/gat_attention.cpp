#include "kernels/cpu/gat_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/dropout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/gat_attention.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/row_softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

// Per-edge arrays of one row and head, private to a thread.
struct Scratch {
  std::vector<float> alpha, slope, mask, dot;
  void resize(size_t edges) {
    for (auto* values : {&alpha, &slope, &mask, &dot}) values->resize(edges);
  }
  static Scratch& of(size_t edges) {
    static thread_local Scratch scratch;
    scratch.resize(edges);
    return scratch;
  }
};

float leaky_slope(const GatScores& scores, float sum) { return sum > 0 ? 1.0f : scores.negative_slope; }

void draw_mask(const GatScores& scores, const Rows& rows, const RowPiece& piece, int64_t head, float* mask) {
  const uint64_t threshold = dropout_threshold(scores.dropout);
  const auto keep = static_cast<float>(1.0 / (1.0 - scores.dropout));
  for (int64_t at = piece.edge_begin; at < piece.edge_end; ++at) {
    const auto element = static_cast<uint64_t>(rows.edge_id(at) * scores.heads + head);
    mask[at - piece.edge_begin] = dropout_keeps(scores.key, element, threshold) ? keep : 0.0f;
  }
}

void multiply(size_t count, const float* by, float* x) {
  for_each_vector(count, [&](auto d, size_t e)
                             HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + e), hn::LoadU(d, by + e)), d, x + e); });
}

// Forward ------------------------------------------------------------------------------------------------------------

// One head over only the edges of a piece.
Softmax attend(const GatAttentionForward& op, const RowPiece& piece, int64_t head, float* out) {
  const GatScores& scores = op.scores;
  const auto width = static_cast<size_t>(op.scores.width), stride = width * static_cast<size_t>(scores.heads);
  const EdgeRange edges(op.rows, piece.edge_begin, piece.edge_end);
  Scratch& scratch = Scratch::of(edges.count);
  const float own = scores.dst[piece.row * scores.heads + head];
  for (size_t e = 0; e < edges.count; ++e) {
    const float sum = own + scores.src[edges.neighbour[e] * scores.heads + head];
    scratch.alpha[e] = leaky_slope(scores, sum) * sum;
  }
  const Softmax part = softmax(scratch.alpha.data(), edges.count);
  if (scores.dropout > 0) {
    draw_mask(scores, op.rows, piece, head, scratch.mask.data());
    multiply(edges.count, scratch.mask.data(), scratch.alpha.data());
  }
  weighted_sum(edges, width, scratch.alpha.data(), op.h + static_cast<size_t>(head) * width, stride, out);
  return part;
}

// Combines the pieces of one head of a long row, each a softmax of its own. part_of(t), partial_of(t): of task t.
template <class PartOf, class PartialOf>
float merge_pieces(const LongRow& row, size_t width, const PartOf& part_of, const PartialOf& partial_of, float* out) {
  float largest = -std::numeric_limits<float>::infinity(), sum = 0;
  for (int64_t t = row.task_begin; t < row.task_end; ++t) largest = std::max(largest, part_of(t).largest);
  const auto share = [&](int64_t t) { return part_of(t).sum * std::exp(part_of(t).largest - largest); };
  for (int64_t t = row.task_begin; t < row.task_end; ++t) sum += share(t);
  std::fill(out, out + width, 0.0f);
  for (int64_t t = row.task_begin; t < row.task_end; ++t) add_scaled(width, share(t) / sum, partial_of(t), out);
  return largest + std::log(sum);
}

// Backward -----------------------------------------------------------------------------------------------------------

// alpha, the slope of LeakyReLU and the mask of a source's edges, for one head.
void recompute(const GatAttentionBackwardBySource& op, const RowPiece& piece, int64_t head, Scratch& scratch) {
  const GatScores& scores = op.scores;
  const EdgeRange edges(op.rows, piece.edge_begin, piece.edge_end);
  const float own = scores.src[piece.row * scores.heads + head];
  for (size_t e = 0; e < edges.count; ++e) {
    const int64_t at = edges.neighbour[e] * scores.heads + head;
    const float sum = scores.dst[at] + own;
    scratch.slope[e] = leaky_slope(scores, sum);
    scratch.alpha[e] = scratch.slope[e] * sum - op.lse[at];
  }
  for_each_vector(edges.count, [&](auto d, size_t e) HWY_ATTR {
    hn::StoreU(exponential(d, hn::LoadU(d, scratch.alpha.data() + e)), d, scratch.alpha.data() + e);
  });
  if (scores.dropout > 0) {
    draw_mask(scores, op.rows, piece, head, scratch.mask.data());
  } else {
    std::fill(scratch.mask.begin(), scratch.mask.end(), 1.0f);
  }
}

// One head over the edges of a source's piece; returns the sum of ds.
float propagate(const GatAttentionBackwardBySource& op, const RowPiece& piece, int64_t head, float* grad_h) {
  const GatScores& scores = op.scores;
  const auto width = static_cast<size_t>(op.scores.width), stride = width * static_cast<size_t>(scores.heads);
  const size_t first = static_cast<size_t>(head) * width;
  const EdgeRange edges(op.rows, piece.edge_begin, piece.edge_end);
  Scratch& scratch = Scratch::of(edges.count);
  recompute(op, piece, head, scratch);
  const float* own = op.h + static_cast<size_t>(piece.row) * stride + first;
  dot_with_rows<ProductTerm>(edges, width, own, own, op.grad_out + first, stride, scratch.dot.data());
  float total = 0;
  for (size_t e = 0; e < edges.count; ++e) {
    const float grad_alpha = scratch.mask[e] * scratch.dot[e] - op.delta[edges.neighbour[e] * scores.heads + head];
    const float ds = scratch.alpha[e] * grad_alpha * scratch.slope[e];
    op.grad_score[op.rows.edge_id(piece.edge_begin + static_cast<int64_t>(e)) * scores.heads + head] = ds;
    total += ds;
  }
  multiply(edges.count, scratch.mask.data(), scratch.alpha.data());
  weighted_sum(edges, width, scratch.alpha.data(), op.grad_out + first, stride, grad_h);
  return total;
}

}  // namespace

void gat_forward(const GatAttentionForward& op) {
  const auto heads = static_cast<size_t>(op.scores.heads), width = static_cast<size_t>(op.scores.width);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<Softmax> parts(static_cast<size_t>(plan.num_slots) * heads);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * heads * width);
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    for (size_t head = 0; head < heads; ++head) {
      const size_t at = static_cast<size_t>(piece.whole() ? piece.row : piece.slot) * heads + head;
      float* out = (piece.whole() ? op.out : partial.data()) + at * width;
      const Softmax part = attend(op, piece, static_cast<int64_t>(head), out);
      if (!piece.whole()) {
        parts[at] = part;
      } else {
        op.lse[at] = piece.edge_begin == piece.edge_end ? 0.0f : part.largest + std::log(part.sum);
      }
    }
  });
  const auto slot_of = [&](int64_t t) { return static_cast<size_t>(plan.tasks[static_cast<size_t>(t)].slot); };
  for (const LongRow& row : plan.long_rows) {
    for (size_t head = 0; head < heads; ++head) {
      const size_t at = static_cast<size_t>(row.row) * heads + head;
      op.lse[at] = merge_pieces(
          row, width, [&](int64_t t) { return parts[slot_of(t) * heads + head]; },
          [&](int64_t t) { return partial.data() + (slot_of(t) * heads + head) * width; }, op.out + at * width);
    }
  }
}

void gat_by_source(const GatAttentionBackwardBySource& op) {
  const auto heads = static_cast<size_t>(op.scores.heads), width = static_cast<size_t>(op.scores.width);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<float> partial_h(static_cast<size_t>(plan.num_slots) * heads * width);
  std::vector<float> partial_src(static_cast<size_t>(plan.num_slots) * heads);
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    for (size_t head = 0; head < heads; ++head) {
      const size_t at = static_cast<size_t>(piece.whole() ? piece.row : piece.slot) * heads + head;
      float* grad_h = (piece.whole() ? op.grad_h : partial_h.data()) + at * width;
      (piece.whole() ? op.grad_src : partial_src.data())[at] = propagate(op, piece, static_cast<int64_t>(head), grad_h);
    }
  });
  add_pieces(plan, heads * width, partial_h, op.grad_h, heads * width);
  add_pieces(plan, heads, partial_src, op.grad_src, heads);
}

void edge_sums(const EdgeSums& op) {
  const auto heads = static_cast<size_t>(op.heads);
  const RowPlan plan = plan_rows(op.rows);
  std::vector<float> partial(static_cast<size_t>(plan.num_slots) * heads);
  for_each_row(plan, op.rows, op.threads, [&](const RowPiece& piece) HWY_ATTR {
    float* sum = piece.whole() ? op.out + static_cast<size_t>(piece.row) * heads
                               : partial.data() + static_cast<size_t>(piece.slot) * heads;
    std::fill(sum, sum + heads, 0.0f);
    for (int64_t at = piece.edge_begin; at < piece.edge_end; ++at) {
      add_scaled(heads, 1.0f, op.value + static_cast<size_t>(op.rows.edge_id(at)) * heads, sum);
    }
  });
  add_pieces(plan, heads, partial, op.out, heads);
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(GatAttentionForward, gat_forward)
GENIEPATH_RUN(GatAttentionBackwardBySource, gat_by_source)
GENIEPATH_RUN(EdgeSums, edge_sums)
#endif
