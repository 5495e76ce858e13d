#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/ops.h"
#include "kernels/cpu/edge_attention.h"
#include "kernels/cuda/edge_attention.h"
#include "kernels/reference/edge_attention.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/given_graph.h"
#include "ops/halo.h"
#include "ops/index_tensors.h"
#include "ops/matmul.h"
#include "ops/registered.h"

namespace geniepath::ops {
namespace {

void check(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
           Operand operand = Operand::kGiven) {
  constexpr const char* kOp = "edge_attention";
  check_nodes(kOp, "h", h, graph, operand);
  check_matrix(kOp, "ab", ab, h.size(0), 2 * h.size(1), h);
  check_vector(kOp, "v", v, h.size(1), h);
}

// Tensors saved for backward.
struct Saved {
  at::Tensor pq, h, v, agg;  // pq: ab itself in f64; h: as stored for gathering (as_stored)
                             // pq is undefined if it is recomputed (ProjectedAttention)
  at::Tensor alpha;          // [E], or longer: the rest is unused; on a GPU: the scores before softmax
  at::Tensor lse;            // on a GPU: log-sum-exp of each row's scores
};

Saved attend_reference(const RowTensors& in, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                       const at::Tensor& alpha) {
  Saved saved{ab, h, v, at::empty({in.rows(), h.size(1)}, at::kDouble), alpha, {}};
  kernels::reference::edge_attention_forward<double>(cpu_rows(in), h.size(1), ab.data_ptr<double>(),
                                                     h.data_ptr<double>(), v.data_ptr<double>(),
                                                     saved.agg.data_ptr<double>(), saved.alpha.data_ptr<double>());
  return saved;
}

enum class Reuse { kNo, kYes };  // whether ab may be overwritten

template <class S>
at::Tensor exp_twice_on_cpu(const at::Tensor& ab, const at::Tensor& pq) {
  cpu::run(cpu::ExpTwice<S>{ab.numel(), ab.data_ptr<float>(), pointer<S>(pq), at::get_num_threads()});
  return pq;
}

template <class S>
Saved attend_on_cpu(const RowTensors& in, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                    const at::Tensor& alpha, Reuse reuse) {
  const int threads = at::get_num_threads();
  const bool in_place = std::is_same_v<S, float> && reuse == Reuse::kYes;
  Saved saved{exp_twice_on_cpu<S>(ab, in_place ? ab : at::empty(ab.sizes(), h.scalar_type())), h, v,
              at::empty({in.rows(), h.size(1)}, at::kFloat), alpha, {}};
  cpu::run(cpu::EdgeAttentionForward<S>{cpu_rows(in), h.size(1), pointer<S>(saved.pq), pointer<S>(h),
                                        v.data_ptr<float>(), saved.agg.data_ptr<float>(),
                                        saved.alpha.data_ptr<float>(), threads});
  return saved;
}

template <class S>
Saved attend_on_gpu(const RowTensors& in, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                    const at::Tensor& alpha) {
  const cuda::Stream stream = current_stream();
  const int64_t width = h.size(1);
  Saved saved{at::empty(ab.sizes(), h.options()), h, v, at::empty({in.rows(), width}, ab.options()), alpha,
              at::empty({in.rows()}, ab.options())};
  cuda::run(cuda::ExpTwice<S>{ab.numel(), ab.data_ptr<float>(), pointer<S>(saved.pq), stream});
  const at::Tensor scratch = scratch_for(in, width + 2, ab);
  cuda::run(cuda::EdgeAttentionForward<S>{gpu_rows(in), width, pointer<S>(saved.pq), pointer<S>(h), v.data_ptr<float>(),
                                          saved.agg.data_ptr<float>(), saved.alpha.data_ptr<float>(),
                                          saved.lse.data_ptr<float>(), scratch.data_ptr<float>(), stream});
  return saved;
}

at::Tensor value_per_edge(const RowTensors& in, const at::Tensor& like) {
  return at::empty({in.entries()}, like.options());
}

// Overwrites alpha: [E] or longer.
Saved attend(const RowTensors& in, const at::Tensor& ab, const at::Tensor& states, const at::Tensor& v,
             const at::Tensor& alpha, Precision precision, Reuse reuse = Reuse::kNo) {
  const at::Tensor h = as_stored(states, precision);
  const auto reference = [&] { return attend_reference(in, ab, h, v, alpha); };
  const auto on_cpu = [&] {
    return with_storage_of(h,
                           [&](auto storage) { return attend_on_cpu<decltype(storage)>(in, ab, h, v, alpha, reuse); });
  };
  const auto on_gpu = [&] {
    return with_storage_of(h, [&](auto storage) { return attend_on_gpu<decltype(storage)>(in, ab, h, v, alpha); });
  };
  return dispatch(ab, reference, on_cpu, on_gpu);
}

struct EdgeAttentionGradients {
  at::Tensor ab, h, v;
};

EdgeAttentionGradients backward_reference(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg) {
  EdgeAttentionGradients grad{at::empty_like(saved.pq), at::empty_like(saved.h), at::empty_like(saved.v)};
  kernels::reference::edge_attention_backward<double>(
      cpu_rows(incoming(graph)), saved.h.size(1), saved.pq.data_ptr<double>(), saved.h.data_ptr<double>(),
      saved.v.data_ptr<double>(), saved.alpha.data_ptr<double>(), grad_agg.data_ptr<double>(),
      grad.ab.data_ptr<double>(), grad.h.data_ptr<double>(), grad.v.data_ptr<double>());
  return grad;
}

template <class S>
EdgeAttentionGradients backward_on_cpu(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg,
                                       Precision precision) {
  const int64_t nodes = saved.h.size(0), width = saved.h.size(1);
  const auto* pq = pointer<S>(saved.pq);
  const auto* v = saved.v.data_ptr<float>();
  EdgeAttentionGradients grad{at::empty({nodes, 2 * width}, at::kFloat), {}, at::empty({width}, at::kFloat)};
  const at::Tensor grad_score = at::empty({graph.num_edges()}, at::kFloat);
  const at::Tensor alpha_and_score = at::empty({graph.num_edges(), 2}, at::kFloat);
  cpu::run(cpu::EdgeAttentionBackwardByDestination<S>{
      cpu_rows(incoming(graph)), width, pq, v, grad.ab.data_ptr<float>(), grad.v.data_ptr<float>(),
      pointer<S>(saved.h), saved.agg.data_ptr<float>(), saved.alpha.data_ptr<float>(), grad_agg.data_ptr<float>(),
      grad_score.data_ptr<float>(), alpha_and_score.data_ptr<float>(), at::get_num_threads()});
  const at::Tensor gathered = as_stored(grad_agg, precision);
  grad.h = at::empty({nodes, width}, at::kFloat);
  cpu::run(cpu::EdgeAttentionBackwardBySource<S>{cpu_rows(outgoing(graph)), width, pq, v, grad.ab.data_ptr<float>(),
                                                 pointer<S>(gathered), grad.h.data_ptr<float>(),
                                                 alpha_and_score.data_ptr<float>(), at::get_num_threads()});
  return grad;
}

template <class S>
EdgeAttentionGradients backward_on_gpu(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg) {
  const cuda::Stream stream = current_stream();
  const int64_t nodes = saved.h.size(0), width = saved.h.size(1);
  const RowTensors in = incoming(graph), out = outgoing(graph);
  const auto options = grad_agg.options();
  const auto* pq = pointer<S>(saved.pq);
  const auto* v = saved.v.data_ptr<float>();
  const bool half = std::is_same_v<S, Bf16>;
  const at::Tensor lse_and_delta = at::empty({nodes, 2}, options), grad_score = at::empty({graph.num_edges()}, options);
  const at::Tensor gathered = half ? at::empty(grad_agg.sizes(), options.dtype(at::kBFloat16)) : grad_agg;
  cuda::run(cuda::EdgeAttentionDelta{nodes, width, saved.agg.data_ptr<float>(), saved.lse.data_ptr<float>(),
                                     grad_agg.data_ptr<float>(), lse_and_delta.data_ptr<float>(),
                                     half ? pointer<Bf16>(gathered) : nullptr, stream});
  EdgeAttentionGradients grad{at::empty({nodes, 2 * width}, options), at::empty({nodes, width}, options),
                              at::empty({width}, options)};
  const at::Tensor by_source = scratch_for(out, 2 * width, grad_agg);
  cuda::run(cuda::EdgeAttentionBackwardBySource<S>{
      gpu_rows(out), width, pq, v, grad.ab.data_ptr<float>(), pointer<S>(gathered), grad.h.data_ptr<float>(),
      pointer<S>(saved.h), saved.alpha.data_ptr<float>(), lse_and_delta.data_ptr<float>(), grad_score.data_ptr<float>(),
      by_source.data_ptr<float>(), stream});
  const at::Tensor by_destination = scratch_for(in, width, grad_agg);
  const at::Tensor v_sums = at::empty({cuda::v_scratch_rows(gpu_rows(in), width), width}, options);
  cuda::run(cuda::EdgeAttentionBackwardByDestination<S>{gpu_rows(in), width, pq, v, grad.ab.data_ptr<float>(),
                                                        grad.v.data_ptr<float>(), grad_score.data_ptr<float>(),
                                                        by_destination.data_ptr<float>(), v_sums.data_ptr<float>(),
                                                        stream});
  return grad;
}

// The list that autograd saves: Saved, then the graph.
tensor_list listed(const Saved& saved, const GraphTensors& graph) {
  tensor_list kept{saved.pq, saved.h, saved.v, saved.agg, saved.alpha, saved.lse};
  append(kept, graph);
  return kept;
}

EdgeAttentionGradients backward(const tensor_list& kept, const at::Tensor& grad_out, Precision precision) {
  const Saved saved{kept[0], kept[1], kept[2], kept[3], kept[4], kept[5]};
  const GraphTensors graph = graph_at(kept, 6);
  const at::Tensor grad_agg = grad_out.contiguous();
  const auto reference = [&] { return backward_reference(graph, saved, grad_agg); };
  const auto on_cpu = [&] {
    return with_storage_of(saved.h, [&](auto storage) {
      return backward_on_cpu<decltype(storage)>(graph, saved, grad_agg, precision);
    });
  };
  const auto on_gpu = [&] {
    return with_storage_of(saved.h, [&](auto storage) {
      return backward_on_gpu<decltype(storage)>(graph, saved, grad_agg);
    });
  };
  return dispatch(grad_agg, reference, on_cpu, on_gpu);
}

struct EdgeAttention : OnceDifferentiable<EdgeAttention> {
  static constexpr const char* kName = "edge_attention";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                            const GraphTensors& graph, Precision precision) {
    const RowTensors in = incoming(graph);
    const Saved saved = attend(in, ab, h, v, value_per_edge(in, ab), precision);
    context->save_for_backward(listed(saved, graph));
    keep(*context, precision);
    return saved.agg;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const EdgeAttentionGradients grad =
        ops::backward(context->get_saved_variables(), grad_outputs[0], kept_precision(*context));
    return {grad.ab, grad.h, grad.v, {}, {}};
  }
};

// a and b side by side.
at::Tensor projection(const at::Tensor& h_operand, const at::Tensor& w_operand, at::ScalarType type,
                      Precision precision) {
  const at::Tensor ab = at::empty({h_operand.size(0), w_operand.size(1)}, h_operand.options().dtype(type));
  matmul_into(ab, h_operand, Transpose::kNo, w_operand, Transpose::kNo, precision);
  return ab;
}

// pq of a narrow layer, as in the forward pass. `stored`: h as stored.
at::Tensor recomputed_pq(const at::Tensor& h_operand, const at::Tensor& w_operand, const at::Tensor& stored,
                         Precision precision) {
  const at::Tensor ab = projection(h_operand, w_operand, at::kFloat, precision);
  return with_storage_of(stored, [&](auto storage) {
    using S = decltype(storage);
    return exp_twice_on_cpu<S>(ab, std::is_same_v<S, float> ? ab : at::empty(ab.sizes(), stored.scalar_type()));
  });
}

// Operands of projected_attention.
struct Projection {
  at::Tensor h, w;
};

// The forward pass of projected_attention.
Saved projected_forward(const GraphTensors& graph, const Projection& operand, const at::Tensor& v,
                        const at::Tensor& alpha, Precision precision) {
  const at::Tensor ab = projection(operand.h, operand.w, alpha.scalar_type(), precision);
  return attend(incoming(graph), ab, operand.h, v, alpha, precision, Reuse::kYes);
}

struct ProjectedGradients {
  at::Tensor h, w, v;
};

ProjectedGradients projected_backward(const tensor_list& kept, const Projection& operand, const at::Tensor& grad_out,
                                      Precision precision) {
  const EdgeAttentionGradients grad = ops::backward(kept, grad_out, precision);
  const at::Tensor grad_ab = as_operand(grad.ab, precision);
  const at::Tensor grad_w = at::empty(operand.w.sizes(), grad.ab.options());
  matmul_into(grad.h, grad_ab, Transpose::kNo, operand.w, Transpose::kYes, precision, true);
  matmul_into(grad_w, operand.h, Transpose::kYes, grad_ab, Transpose::kNo, precision);
  return {grad.h, grad_w, grad.v};
}

struct ProjectedAttention : OnceDifferentiable<ProjectedAttention> {
  static constexpr const char* kName = "projected_attention";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                            const GraphTensors& graph, Precision precision) {
    const Projection operand{as_operand(h, precision), as_operand(w, precision)};
    Saved saved = projected_forward(graph, operand, v, value_per_edge(incoming(graph), h), precision);
    if (is_narrow(h)) saved.pq.reset();
    tensor_list kept = listed(saved, graph);
    kept.insert(kept.end(), {operand.h, operand.w});
    context->save_for_backward(kept);
    keep(*context, precision);
    return saved.agg;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    tensor_list kept = context->get_saved_variables();
    const Projection operand{kept[kept.size() - 2], kept[kept.size() - 1]};
    const Precision precision = kept_precision(*context);
    if (!kept[0].defined()) kept[0] = recomputed_pq(operand.h, operand.w, kept[1], precision);
    const ProjectedGradients grad = projected_backward(kept, operand, grad_outputs[0], precision);
    return {grad.h, grad.w, grad.v, {}, {}};
  }
};

void check_projected(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                     Operand operand = Operand::kGiven) {
  constexpr const char* kOp = "projected_attention";
  check_nodes(kOp, "h", h, graph, operand);
  check_matrix(kOp, "w", w, h.size(1), 2 * h.size(1), h, operand);
  check_vector(kOp, "v", v, h.size(1), h);
}

// The results of a registered operator: agg, then pq, alpha and lse, none of which is an argument.
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> returned(const Saved& saved, const at::Tensor& ab) {
  return {saved.agg, saved.pq.is_same(ab) ? ab.clone() : saved.pq, saved.alpha,
          saved.lse.defined() ? saved.lse : at::empty({0}, saved.agg.options())};
}

// The list that backward() reads, from the forward pass's results. `h`: as there; `values`: of alpha.
tensor_list listed(const char* op, at::TensorList results, const at::Tensor& h, const at::Tensor& v,
                   const GraphTensors& graph, int64_t values, Precision precision) {
  const at::Tensor stored = as_stored(h, precision);
  const int64_t nodes = h.size(0), width = h.size(1);
  const auto result = [&](size_t place, at::IntArrayRef sizes, at::ScalarType type) {
    return forward_result(op, results, place, sizes, type, h);
  };
  const at::ScalarType type = v.scalar_type();  // h may be converted
  const at::Tensor agg = result(0, {nodes, width}, type), pq = result(1, {nodes, 2 * width}, stored.scalar_type());
  const at::Tensor alpha = result(2, {values}, type), lse = result(3, {h.is_cuda() ? nodes : 0}, type);
  return listed(Saved{pq, stored, v.contiguous(), agg, alpha, lse}, graph);
}

void define_edge_attention(torch::Library& library) {
  const auto forward = [](const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v, at::TensorList tensors,
                          c10::string_view precision) {
    const GraphTensors graph = given_graph("edge_attention", tensors, h);
    check(graph, ab, h, v, Operand::kConverted);
    const at::Tensor sums = ab.contiguous();
    const at::Tensor alpha = at::empty({most_edges(tensors, h.size(0))}, sums.options());
    const Precision named = precision_named(precision);
    return returned(attend(incoming(graph), sums, h.contiguous(), v.contiguous(), alpha, named), sums);
  };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted, const at::Tensor& ab,
                           const at::Tensor& h, const at::Tensor& v, at::TensorList tensors, c10::string_view name) {
    const Precision precision = precision_named(name);
    const GraphTensors graph = given_graph("edge_attention", tensors, h);
    check(graph, ab, h, v, Operand::kConverted);
    const at::Tensor grad_out = gradient_of("edge_attention", grads, 0, h.sizes(), h);
    const int64_t values = most_edges(tensors, h.size(0));
    const EdgeAttentionGradients grad = ops::backward(
        listed("edge_attention", results, h.contiguous(), v, graph, values, precision), grad_out, precision);
    return wanted_gradients("edge_attention", wanted, {grad.ab, grad.h, grad.v});
  };
  define(library,
         {"edge_attention", "Tensor ab, Tensor h, Tensor v, Tensor[] graph, str precision='f32'", "Tensor",
          "(Tensor, Tensor, Tensor, Tensor)"},
         forward, backward);
}

void define_projected_attention(torch::Library& library) {
  const auto forward = [](const at::Tensor& h, const at::Tensor& w, const at::Tensor& v, at::TensorList tensors,
                          c10::string_view name) {
    const Precision precision = precision_named(name);
    const GraphTensors graph = given_graph("projected_attention", tensors, h);
    check_projected(graph, h, w, v, Operand::kConverted);
    const Projection operand{as_operand(h.contiguous(), precision), as_operand(w.contiguous(), precision)};
    const at::Tensor alpha = at::empty({most_edges(tensors, h.size(0))}, h.options().dtype(computed_type(h)));
    return returned(projected_forward(graph, operand, v.contiguous(), alpha, precision), h);
  };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted, const at::Tensor& h,
                           const at::Tensor& w, const at::Tensor& v, at::TensorList tensors, c10::string_view name) {
    const Precision precision = precision_named(name);
    const GraphTensors graph = given_graph("projected_attention", tensors, h);
    check_projected(graph, h, w, v, Operand::kConverted);
    const Projection operand{as_operand(h.contiguous(), precision), as_operand(w.contiguous(), precision)};
    const at::Tensor grad_out = gradient_of("projected_attention", grads, 0, h.sizes(), h);
    const int64_t values = most_edges(tensors, h.size(0));
    const ProjectedGradients grad = projected_backward(
        listed("projected_attention", results, operand.h, v, graph, values, precision), operand, grad_out, precision);
    return wanted_gradients("projected_attention", wanted, {grad.h, grad.w, grad.v});
  };
  define(library,
         {"projected_attention", "Tensor h, Tensor w, Tensor v, Tensor[] graph, str precision='f32'", "Tensor",
          "(Tensor, Tensor, Tensor, Tensor)"},
         forward, backward);
}

}  // namespace

at::Tensor projected_attention(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                               Precision precision) {
  check_projected(graph, h, w, v);
  if (graph.halo) {
    if (backend_of(h) == Backend::kCpu) return divided_attention(graph, h, w, v, precision);
    return own_rows(graph, projected_attention(with_halo_nodes(graph), with_halo_rows(graph, h), w, v, precision));
  }
  return ProjectedAttention::apply(h.contiguous(), w.contiguous(), v.contiguous(), graph, precision);
}

at::Tensor edge_attention(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                          Precision precision) {
  check(graph, ab, h, v);
  if (graph.halo) {
    const at::Tensor rows = with_halo_rows(graph, at::cat({ab, h}, 1));
    const int64_t width = h.size(1);
    return own_rows(graph, edge_attention(with_halo_nodes(graph), rows.narrow(1, 0, 2 * width),
                                          rows.narrow(1, 2 * width, width), v, precision));
  }
  return EdgeAttention::apply(ab.contiguous(), h.contiguous(), v.contiguous(), graph, precision);
}

at::Tensor edge_attention_weights(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& v) {
  check_matrix("edge_attention_weights", "ab", ab, -1, -1, ab);
  const at::Tensor h = at::zeros({ab.size(0), ab.size(1) / 2}, ab.options());
  check(graph, ab, h, v);
  if (graph.halo) return edge_attention_weights(with_halo_nodes(graph), with_halo_rows(graph, ab), v);
  const RowTensors in = incoming(graph);
  const Saved saved = attend(in, ab.detach().contiguous(), h, v.detach().contiguous(),
                             value_per_edge(in, ab), Precision::kF32);
  const auto on_cpu = [&] { return saved.alpha; };
  const auto on_gpu = [&] {
    at::Tensor alpha = at::empty_like(saved.alpha);
    cuda::run(cuda::AlphaOfScores{gpu_rows(in), saved.alpha.data_ptr<float>(), saved.lse.data_ptr<float>(),
                                  alpha.data_ptr<float>(), current_stream()});
    return alpha;
  };
  return dispatch(ab, on_cpu, on_gpu);
}

namespace {

// The rows as a graph of all M nodes, of which those beyond the rows attend to none.
GraphTensors graph_of(const NodeRows& rows, int64_t nodes) {
  const at::Tensor neighbour = rows.neighbour.to(at::kLong);
  const at::Tensor row = at::repeat_interleave(at::arange(rows.size(), at::kInt), rows.offset.diff());
  GraphTensors graph;
  graph.in_offset = at::full({nodes + 1}, rows.neighbour.numel(), at::kLong);
  graph.in_offset.narrow(0, 0, rows.size() + 1).copy_(rows.offset);
  graph.in_neighbour = rows.neighbour;
  graph.out_edge = std::get<1>(at::sort(neighbour, true, 0, false));
  graph.out_neighbour = row.index_select(0, graph.out_edge);
  graph.out_offset = at::cat({at::zeros({1}, at::kLong), at::bincount(neighbour, {}, nodes).cumsum(0)});
  return graph;
}

bool needs_gradient(const at::Tensor& ab, const at::Tensor& h) {
  return at::GradMode::is_enabled() && (ab.requires_grad() || h.requires_grad());
}

}  // namespace

AttentionRows edge_attention_rows(const NodeRows& rows, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                                  Precision precision) {
  constexpr const char* kOp = "edge_attention_rows";
  check_matrix(kOp, "h", h, -1, -1, h);
  check_matrix(kOp, "ab", ab, h.size(0), 2 * h.size(1), h);
  check_vector(kOp, "v", v, h.size(1), h);
  if (h.size(0) < rows.size()) fail(kOp, ": h has ", h.size(0), " rows, but ", rows.size(), " nodes are requested");
  const RowTensors in{rows.offset, rows.neighbour};
  const Saved saved = attend(in, ab.detach().contiguous(), h.detach().contiguous(), v.detach().contiguous(),
                             value_per_edge(in, ab), precision);
  if (!needs_gradient(ab, h)) return {saved.agg, saved.alpha};
  const at::Tensor agg = edge_attention(graph_of(rows, h.size(0)), ab, h, v.detach(), precision);
  return {agg.narrow(0, 0, rows.size()), saved.alpha};
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  define_edge_attention(library);
  define_projected_attention(library);
  define_constant(library, "edge_attention_weights", "Tensor ab, Tensor v, Tensor[] graph",
                  [](const at::Tensor& ab, const at::Tensor& v, at::TensorList tensors) {
                    if (tensors.size() == 1) {
                      fail(
                          "edge_attention_weights: given an edge_index, expected the five tensors of a graph, by whose "
                          "edges the weights are listed");
                    }
                    return edge_attention_weights(given_graph("edge_attention_weights", tensors, ab), ab, v);
                  });
}

}  // namespace geniepath::ops
