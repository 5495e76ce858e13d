// projected_attention on a graph that is divided among processes. While rows travel, it computes what does not need
// them:
//   forward     a and b of own rows; attention of the interior
//   backward    the gradients of others' rows come first; while they travel to their owners, those of own rows and
//               weights
// For others' rows only b = W_d h is computed again: they attend to no node.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "distributed/halo.h"
#include "kernels/cpu/edge_attention.h"
#include "ops/backend.h"
#include "ops/halo.h"
#include "ops/matmul.h"

namespace geniepath::ops {
namespace {

// Rows of one pass, own ones first, then those of others.
struct DividedStates {
  DividedStates(const at::Tensor& all, const at::Tensor& weights, Precision in)
      : precision(in), states(all), stored(all), operand(all), w(as_operand(weights, in)) {
    if (in != Precision::kBf16) return;
    stored = at::empty(all.sizes(), all.options().dtype(at::kBFloat16));
    if (w.scalar_type() == at::kBFloat16) operand = stored;
  }
  DividedStates(const at::Tensor& kept_stored, const at::Tensor& kept_operand, const at::Tensor& kept_w, Precision in)
      : precision(in), stored(kept_stored), operand(kept_operand), w(kept_w) {}

  int64_t width() const { return stored.size(1); }
  at::Tensor w_d() const { return w.narrow(1, width(), width()); }
  // Once their states have arrived: rounds `count` rows from `first` to the storage type.
  void store(int64_t first, int64_t count) const {
    if (!stored.is_same(states))
      stored.narrow(0, first, count).copy_(as_stored(states.narrow(0, first, count), precision));
  }

  Precision precision;
  at::Tensor states, stored, operand;  // f32; as gathered; as an operand of products
  at::Tensor w;
};

template <class S>
void exp_twice(const at::Tensor& ab, const at::Tensor& pq) {
  cpu::run(cpu::ExpTwice<S>{ab.numel(), ab.data_ptr<float>(), pointer<S>(pq), at::get_num_threads()});
}

template <class S>
void project_own(const DividedStates& x, const DividedGraph& graph, const at::Tensor& pq) {
  const at::Tensor own = pq.narrow(0, 0, graph.own);
  const at::Tensor ab = std::is_same_v<S, float> ? own : at::empty(own.sizes(), own.options().dtype(at::kFloat));
  matmul_into(ab, x.operand.narrow(0, 0, graph.own), Transpose::kNo, x.w, Transpose::kNo, x.precision);
  exp_twice<S>(ab, own);
}

// Only b of others' rows: the left half of their rows of pq stays undefined, and is not read.
template <class S>
void project_others(const DividedStates& x, const DividedGraph& graph, const at::Tensor& pq) {
  const at::Tensor b = at::empty({graph.others, x.width()}, pq.options().dtype(at::kFloat));
  matmul_into(b, x.operand.narrow(0, graph.own, graph.others), Transpose::kNo, x.w_d(), Transpose::kNo, x.precision);
  const at::Tensor q = std::is_same_v<S, float> ? b : at::empty(b.sizes(), pq.options());
  exp_twice<S>(b, q);
  pq.narrow(0, graph.own, graph.others).narrow(1, x.width(), x.width()).copy_(q);
}

struct DividedResult {
  at::Tensor pq, agg, alpha;
};

template <class S>
DividedResult divided_forward(const DividedGraph& graph, const at::Tensor& h, const DividedStates& x,
                              const at::Tensor& v) {
  const auto arriving = graph.halo->start_fetch(h, x.states.narrow(0, graph.own, graph.others));
  x.states.narrow(0, 0, graph.own).copy_(h);
  const int64_t width = x.width();
  DividedResult result{at::empty({graph.own + graph.others, 2 * width}, x.stored.options()),
                       at::empty({graph.own, width}, h.options()), at::empty({graph.in.entries()}, h.options())};
  const auto attend = [&](int64_t first, int64_t last) {
    cpu::run(cpu::EdgeAttentionForward<S>{cpu_rows(graph.in, first, last), width, pointer<S>(result.pq),
                                          pointer<S>(x.stored), v.data_ptr<float>(), result.agg.data_ptr<float>(),
                                          result.alpha.data_ptr<float>(), at::get_num_threads()});
  };
  x.store(0, graph.own);
  project_own<S>(x, graph, result.pq);
  attend(0, graph.interior);
  arriving->wait();
  x.store(graph.own, graph.others);
  project_others<S>(x, graph, result.pq);
  attend(graph.interior, graph.own);
  return result;
}

// Inputs and results of the backward pass.
struct DividedBackward {
  const DividedGraph& graph;
  const DividedStates& x;
  DividedResult forward;
  at::Tensor v, grad_agg, gathered;  // gathered: grad_agg as stored
  at::Tensor grad_ab, grad_h, grad_v, grad_w;
  at::Tensor grad_score, alpha_and_score;
};

// The pass by destination for rows [first, last); adds to grad_v.
template <class S>
void by_destination(const DividedBackward& b, int64_t first, int64_t last) {
  const at::Tensor grad_v = at::empty_like(b.grad_v);
  cpu::run(cpu::EdgeAttentionBackwardByDestination<S>{
      cpu_rows(b.graph.in, first, last), b.x.width(), pointer<S>(b.forward.pq), b.v.data_ptr<float>(),
      b.grad_ab.data_ptr<float>(), grad_v.data_ptr<float>(), pointer<S>(b.x.stored), b.forward.agg.data_ptr<float>(),
      b.forward.alpha.data_ptr<float>(), b.grad_agg.data_ptr<float>(), b.grad_score.data_ptr<float>(),
      b.alpha_and_score.data_ptr<float>(), at::get_num_threads()});
  b.grad_v.add_(grad_v);
}

template <class S>
void by_source(const DividedBackward& b, int64_t first, int64_t last) {
  cpu::run(cpu::EdgeAttentionBackwardBySource<S>{
      cpu_rows(b.graph.out, first, last), b.x.width(), pointer<S>(b.forward.pq), b.v.data_ptr<float>(),
      b.grad_ab.data_ptr<float>(), pointer<S>(b.gathered), b.grad_h.data_ptr<float>(),
      b.alpha_and_score.data_ptr<float>(), at::get_num_threads()});
}

// Adds the gradients of these rows and of w, from that of their products.
void by_products(const DividedBackward& b, int64_t first, int64_t count, const at::Tensor& grad, const at::Tensor& w,
                 const at::Tensor& grad_w) {
  if (count == 0) return;
  const at::Tensor operand = as_operand(grad, b.x.precision);
  matmul_into(b.grad_h.narrow(0, first, count), operand, Transpose::kNo, w, Transpose::kYes, b.x.precision, true);
  matmul_into(grad_w, b.x.operand.narrow(0, first, count), Transpose::kYes, operand, Transpose::kNo, b.x.precision,
              true);
}

template <class S>
void divided_backward(DividedBackward& b) {
  const int64_t own = b.graph.own, others = b.graph.others, width = b.x.width();
  by_destination<S>(b, b.graph.interior, own);
  by_source<S>(b, own, own + others);
  by_products(b, own, others, b.grad_ab.narrow(0, own, others).narrow(1, width, width), b.x.w_d(),
              b.grad_w.narrow(1, width, width));
  distributed::Halo::Returning returning = b.graph.halo->start_return(b.grad_h.narrow(0, own, others));
  if (b.graph.interior > 0) by_destination<S>(b, 0, b.graph.interior);
  by_source<S>(b, 0, own);
  by_products(b, 0, own, b.grad_ab.narrow(0, 0, own), b.x.w, b.grad_w);
  b.grad_h = b.grad_h.narrow(0, 0, own);
  returning.finish(b.grad_h);
}

struct DividedAttention : OnceDifferentiable<DividedAttention> {
  static constexpr const char* kName = "projected_attention";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                            const GraphTensors& given, Precision precision) {
    const DividedGraph graph(given);
    const DividedStates x(at::empty({graph.own + graph.others, h.size(1)}, h.options()), w, precision);
    DividedResult result = with_storage_of(x.stored, [&](auto storage) {
      return divided_forward<decltype(storage)>(graph, h, x, v);
    });
    if (is_narrow(h)) result.pq.reset();
    tensor_list kept{x.stored, x.operand, x.w, v, result.pq, result.agg, result.alpha};
    graph.keep(*context, kept);
    context->save_for_backward(kept);
    ops::keep(*context, precision);
    return result.agg;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const Precision precision = kept_precision(*context);
    const DividedGraph graph(*context, kept, 7);
    const DividedStates x(kept[0], kept[1], kept[2], precision);
    const at::Tensor grad_agg = grad_outputs[0].contiguous();
    const auto options = grad_agg.options();
    const int64_t nodes = graph.own + graph.others, width = x.width(), edges = graph.in.entries();
    DividedBackward pass{graph, x, {kept[4], kept[5], kept[6]}, kept[3], grad_agg, as_stored(grad_agg, precision),
                         at::empty({nodes, 2 * width}, options), at::empty({nodes, width}, options),
                         at::zeros({width}, options), at::zeros({width, 2 * width}, options),
                         at::empty({edges}, options), at::empty({edges, 2}, options)};
    with_storage_of(x.stored, [&](auto storage) {
      using S = decltype(storage);
      if (!pass.forward.pq.defined()) {
        pass.forward.pq = at::empty({nodes, 2 * width}, x.stored.options());
        project_own<S>(x, graph, pass.forward.pq);
        project_others<S>(x, graph, pass.forward.pq);
      }
      divided_backward<S>(pass);
    });
    return {pass.grad_h, pass.grad_w, pass.grad_v, {}, {}};
  }
};

}  // namespace

at::Tensor divided_attention(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                             Precision precision) {
  return DividedAttention::apply(h.contiguous(), w.contiguous(), v.contiguous(), graph, precision);
}

}  // namespace geniepath::ops
