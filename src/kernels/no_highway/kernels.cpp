// Built where Highway (package libhwy-dev) is missing: the reference formulas in f32, on one thread. Correct but slow.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/dropout.h"
#include "kernels/cpu/edge_attention.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/gat_attention.h"
#include "kernels/cpu/gates.h"
#include "kernels/cpu/neighbour_max.h"
#include "kernels/cpu/pair_loss.h"
#include "kernels/cpu/skip_gram.h"
#include "kernels/cpu/spmm.h"
#include "kernels/reference/edge_attention.h"
#include "kernels/reference/gat_attention.h"
#include "kernels/reference/gates.h"
#include "kernels/reference/neighbour_max.h"
#include "kernels/reference/pair_loss.h"
#include "kernels/reference/skip_gram.h"
#include "kernels/reference/spmm.h"

namespace geniepath::kernels::cpu {
namespace {

float as_float(float x) { return x; }
float as_float(Bf16 x) { return to_float(x); }
void assign(float& to, float x) { to = x; }
void assign(Bf16& to, float x) { to = to_bf16(x); }

template <class S>
std::vector<float> floats(const S* values, int64_t count) {
  std::vector<float> result(static_cast<size_t>(count));
  for (int64_t n = 0; n < count; ++n) result[static_cast<size_t>(n)] = as_float(values[n]);
  return result;
}

// Number of nodes that the rows refer to; more than rows where these are only some nodes of a graph (NodeRows).
int64_t num_nodes(const Rows& rows) {
  int64_t nodes = rows.count;
  for (int64_t e = 0; e < rows.num_edges(); ++e) nodes = std::max<int64_t>(nodes, rows.neighbour[e] + 1);
  return nodes;
}

// The formulas need a and b, of which p and q are the exponentials.
template <class S>
std::vector<float> logarithms(const S* pq, int64_t count) {
  std::vector<float> ab = floats(pq, count);
  for (float& x : ab) x = std::log(x) / 2;
  return ab;
}

template <class S>
void exp_twice(const ExpTwice<S>& op) {
  for (int64_t n = 0; n < op.count; ++n) {
    assign(op.pq[n], std::exp(std::clamp(2 * op.ab[n], -kLargestExponent, kLargestExponent)));
  }
}

template <class S>
void forward(const EdgeAttentionForward<S>& op) {
  const int64_t nodes = num_nodes(op.incoming);
  const auto ab = logarithms(op.pq, nodes * 2 * op.width);
  const auto h = floats(op.h, nodes * op.width);
  reference::edge_attention_forward<float>(op.incoming, op.width, ab.data(), h.data(), op.v, op.agg, op.alpha);
}

// r of edge (i, j), from which tanh(a[i] + b[j]) = 1 - 2r.
template <class S>
float r_of(const S* pq, int64_t width, int64_t i, int64_t j, int64_t k) {
  return 1 / (1 + as_float(pq[i * 2 * width + k]) * as_float(pq[j * 2 * width + width + k]));
}

// ds of the edges into i.
template <class S>
void score_gradients(const EdgeAttentionBackwardByDestination<S>& op, int64_t i) {
  const float* g = op.grad_agg + i * op.width;
  const int64_t begin = op.rows.offset[i], end = op.rows.offset[i + 1];
  float delta = 0;
  for (int64_t e = begin; e < end; ++e) {
    float dot = 0;
    for (int64_t k = 0; k < op.width; ++k) dot += g[k] * as_float(op.h[op.rows.neighbour[e] * op.width + k]);
    op.grad_score[e] = dot;
    delta += op.alpha[e] * dot;
  }
  for (int64_t e = begin; e < end; ++e) {
    op.grad_score[e] = op.alpha[e] * (op.grad_score[e] - delta);
    op.alpha_and_score[2 * e] = op.alpha[e];
    op.alpha_and_score[2 * e + 1] = op.grad_score[e];
  }
}

template <class S>
void by_destination(const EdgeAttentionBackwardByDestination<S>& op) {
  std::fill(op.grad_v, op.grad_v + op.width, 0.0f);
  for (int64_t i = op.rows.first; i < op.rows.count; ++i) {
    float* grad_a = op.grad_ab + i * 2 * op.width;
    std::fill(grad_a, grad_a + op.width, 0.0f);
    score_gradients(op, i);
    for (int64_t e = op.rows.offset[i]; e < op.rows.offset[i + 1]; ++e) {
      for (int64_t k = 0; k < op.width; ++k) {
        const float r = r_of(op.pq, op.width, i, op.rows.neighbour[e], k);
        grad_a[k] += 4 * op.grad_score[e] * op.v[k] * r * (1 - r);
        op.grad_v[k] += op.grad_score[e] * (1 - 2 * r);
      }
    }
  }
}

template <class S>
void by_source(const EdgeAttentionBackwardBySource<S>& op) {
  for (int64_t j = op.rows.first; j < op.rows.count; ++j) {
    float *grad_b = op.grad_ab + j * 2 * op.width + op.width, *grad_h = op.grad_h + j * op.width;
    std::fill(grad_b, grad_b + op.width, 0.0f);
    std::fill(grad_h, grad_h + op.width, 0.0f);
    for (int64_t at = op.rows.offset[j]; at < op.rows.offset[j + 1]; ++at) {
      const int64_t i = op.rows.neighbour[at];
      const float* pair = op.alpha_and_score + 2 * op.rows.edge_id(at);
      for (int64_t k = 0; k < op.width; ++k) {
        const float r = r_of(op.pq, op.width, i, j, k);
        grad_b[k] += 4 * pair[1] * op.v[k] * r * (1 - r);
        grad_h[k] += pair[0] * as_float(op.grad_agg[i * op.width + k]);
      }
    }
  }
}

reference::GatScores<float> formula_scores(const GatScores& scores) {
  return {scores.heads, scores.negative_slope, scores.dst, scores.src, scores.dropout, scores.key};
}

}  // namespace

void run(const ExpTwice<float>& op) { exp_twice(op); }
void run(const ExpTwice<Bf16>& op) { exp_twice(op); }
void run(const EdgeAttentionForward<float>& op) { forward(op); }
void run(const EdgeAttentionForward<Bf16>& op) { forward(op); }
void run(const EdgeAttentionBackwardByDestination<float>& op) { by_destination(op); }
void run(const EdgeAttentionBackwardByDestination<Bf16>& op) { by_destination(op); }
void run(const EdgeAttentionBackwardBySource<float>& op) { by_source(op); }
void run(const EdgeAttentionBackwardBySource<Bf16>& op) { by_source(op); }

void run(const GatesForward& op) {
  reference::gates_forward<float>(op.rows, op.width, op.gates, op.memory, op.gates, op.new_memory, op.out);
}

void run(const GatesBackward& op) {
  reference::gates_backward<float>(op.rows, op.width, op.gates, op.memory, op.new_memory, op.grad_out,
                                   op.grad_new_memory, op.grad_pre, op.grad_memory);
}

void run(const Spmm& op) {
  reference::spmm<float, float>(op.rows, op.value, op.width, op.x, op.out, op.row_scale, op.column_scale);
}

void run(const NeighbourMaxForward& op) {
  reference::neighbour_max_forward<float>(op.incoming, op.skip_self, op.width, op.x, op.out, op.choice);
}

void run(const NeighbourMaxBackward& op) {
  std::fill(op.grad_x + op.outgoing.first * op.width, op.grad_x + op.outgoing.count * op.width, 0.0f);
  for (int64_t j = op.outgoing.first; j < op.outgoing.count; ++j) {
    for (int64_t at = op.outgoing.offset[j]; at < op.outgoing.offset[j + 1]; ++at) {
      const int64_t i = op.outgoing.neighbour[at], place = op.outgoing.edge_id(at) - op.incoming_offset[i];
      for (int64_t k = 0; k < op.width; ++k) {
        if (op.choice[i * op.width + k] == place) op.grad_x[j * op.width + k] += op.grad_out[i * op.width + k];
      }
    }
  }
}

void run(const GatAttentionForward& op) {
  reference::gat_attention_forward<float>(op.rows, op.scores.width, formula_scores(op.scores), op.h, op.out, op.lse);
}

void run(const GatAttentionBackwardBySource& op) {
  const auto scores = formula_scores(op.scores);
  const int64_t heads = op.scores.heads, width = op.scores.width, stride = heads * width;
  std::fill(op.grad_h + op.rows.first * stride, op.grad_h + op.rows.count * stride, 0.0f);
  std::fill(op.grad_src + op.rows.first * heads, op.grad_src + op.rows.count * heads, 0.0f);
  for (int64_t j = op.rows.first; j < op.rows.count; ++j) {
    for (int64_t at = op.rows.offset[j]; at < op.rows.offset[j + 1]; ++at) {
      const int64_t i = op.rows.neighbour[at], edge = op.rows.edge_id(at);
      for (int64_t head = 0; head < heads; ++head) {
        const float alpha = std::exp(scores.score(i, j, head) - op.lse[i * heads + head]),
                    mask = scores.mask(edge, head);
        float dot = 0;
        for (int64_t k = head * width; k < (head + 1) * width; ++k) {
          dot += op.grad_out[i * stride + k] * op.h[j * stride + k];
          op.grad_h[j * stride + k] += mask * alpha * op.grad_out[i * stride + k];
        }
        const float ds = alpha * (mask * dot - op.delta[i * heads + head]) * scores.slope(i, j, head);
        op.grad_score[edge * heads + head] = ds;
        op.grad_src[j * heads + head] += ds;
      }
    }
  }
}

void run(const EdgeSums& op) {
  std::fill(op.out + op.rows.first * op.heads, op.out + op.rows.count * op.heads, 0.0f);
  for (int64_t r = op.rows.first; r < op.rows.count; ++r) {
    for (int64_t at = op.rows.offset[r]; at < op.rows.offset[r + 1]; ++at) {
      for (int64_t head = 0; head < op.heads; ++head) {
        op.out[r * op.heads + head] += op.value[op.rows.edge_id(at) * op.heads + head];
      }
    }
  }
}

void run(const SkipGram& op) {
  for (SkipGramBlock& block : op.blocks) reference::skip_gram<float>(block, op.center, op.context);
}

void run(const PairLoss& op) {
  reference::pair_loss<float>(op.pairs, op.weight, op.width, op.z, op.slope, op.loss);
}

void run(const ToBf16& op) {
  for (int64_t n = 0; n < op.count; ++n) op.to[n] = to_bf16(op.from[n]);
}

void run(const TanhForward& op) {
  for (int64_t n = 0; n < op.rows * op.width; ++n) {
    op.y[n] = std::tanh(op.y[n] + (op.bias == nullptr ? 0.0f : op.bias[n % op.width]));
  }
}

void run(const TanhBackward& op) {
  for (int64_t n = 0; n < op.count; ++n) op.grad_x[n] = op.grad_y[n] * (1 - op.y[n] * op.y[n]);
}

void run(const Dropout& op) {
  const uint64_t threshold = dropout_threshold(op.rate);
  for (int64_t n = 0; n < op.count; ++n) {
    const bool kept = dropout_keeps(op.key, static_cast<uint64_t>(n), threshold);
    op.y[n] = kept ? op.x[n] * static_cast<float>(1.0 / (1.0 - op.rate)) : 0.0f;
  }
}

}  // namespace geniepath::kernels::cpu
