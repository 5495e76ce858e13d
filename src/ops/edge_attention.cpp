#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/edge_attention.h"
#include "kernels/cuda/edge_attention.h"
#include "kernels/reference/edge_attention.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/index_tensors.h"
#include "ops/matmul.h"

namespace geniepath::ops {
namespace {

using kernels::Bf16;
namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

void check(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v) {
  constexpr const char* kOp = "edge_attention";
  check_nodes(kOp, "h", h, graph);
  check_matrix(kOp, "ab", ab, h.size(0), 2 * h.size(1), h);
  check_vector(kOp, "v", v, h.size(1), h);
}

// exp(2 ab) in the storage type of the precision.
template <class S>
at::Tensor exponentials(const at::Tensor& ab, at::ScalarType type) {
  at::Tensor pq = at::empty(ab.sizes(), type);
  cpu::run(cpu::ExpTwice<S>{ab.numel(), ab.data_ptr<float>(), static_cast<S*>(pq.data_ptr()), at::get_num_threads()});
  return pq;
}

struct Saved {
  at::Tensor pq, h, v, agg;  // pq is ab itself in f64
  at::Tensor alpha;          // on a GPU: the scores, of which
  at::Tensor lse;            // is the logarithm of each row's sum of exponentials
};

template <class S>
Saved forward_fused(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                    Precision precision) {
  const bool half = precision == Precision::kBf16;
  Saved saved{exponentials<S>(ab, half ? at::kBFloat16 : at::kFloat), as_stored(h, precision), v,
              at::empty(h.sizes(), at::kFloat), at::empty({graph.num_edges()}, at::kFloat), {}};
  cpu::run(cpu::EdgeAttentionForward<S>{
      rows_of(graph.in_offset, graph.in_neighbour), h.size(1), static_cast<const S*>(saved.pq.data_ptr()),
      static_cast<const S*>(saved.h.data_ptr()), v.data_ptr<float>(), saved.agg.data_ptr<float>(),
      saved.alpha.data_ptr<float>(), at::get_num_threads()});
  return saved;
}

Saved forward_reference(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v) {
  Saved saved{ab, h, v, at::empty_like(h), at::empty({graph.num_edges()}, at::kDouble), {}};
  kernels::reference::edge_attention_forward<double>(
      rows_of(graph.in_offset, graph.in_neighbour), h.size(1), ab.data_ptr<double>(), h.data_ptr<double>(),
      v.data_ptr<double>(), saved.agg.data_ptr<double>(), saved.alpha.data_ptr<double>());
  return saved;
}

template <class S>
Saved forward_on_gpu(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                     Precision precision) {
  const cuda::Stream stream = current_stream();
  const int64_t width = h.size(1);
  const bool half = precision == Precision::kBf16;
  Saved saved{at::empty(ab.sizes(), ab.options().dtype(half ? at::kBFloat16 : at::kFloat)), as_stored(h, precision), v,
              at::empty(h.sizes(), ab.options()), at::empty({graph.num_edges()}, ab.options()),
              at::empty({h.size(0)}, ab.options())};
  auto* pq = static_cast<S*>(saved.pq.data_ptr());
  cuda::run(cuda::ExpTwice<S>{ab.numel(), ab.data_ptr<float>(), pq, stream});
  const at::Tensor scratch = scratch_for(graph.in_long, width + 2, h);
  cuda::run(cuda::EdgeAttentionForward<S>{
      device_rows_of(graph.in_offset, graph.in_neighbour, graph.in_long), width, pq,
      static_cast<const S*>(saved.h.data_ptr()), v.data_ptr<float>(), saved.agg.data_ptr<float>(),
      saved.alpha.data_ptr<float>(), saved.lse.data_ptr<float>(), scratch.data_ptr<float>(), stream});
  return saved;
}

Saved forward(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
              Precision precision) {
  if (h.is_cuda() && precision == Precision::kBf16) return forward_on_gpu<Bf16>(graph, ab, h, v, precision);
  if (h.is_cuda()) return forward_on_gpu<float>(graph, ab, h, v, precision);
  if (ab.scalar_type() == at::kDouble) return forward_reference(graph, ab, h, v);
  if (precision == Precision::kBf16) return forward_fused<Bf16>(graph, ab, h, v, precision);
  return forward_fused<float>(graph, ab, h, v, precision);
}

struct EdgeAttentionGradients {
  at::Tensor ab, h, v;
};

template <class S>
EdgeAttentionGradients backward_fused(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg,
                         Precision precision) {
  const int64_t nodes = saved.h.size(0), width = saved.h.size(1);
  const auto* pq = static_cast<const S*>(saved.pq.data_ptr());
  const auto* v = saved.v.data_ptr<float>();
  EdgeAttentionGradients grad{at::empty({nodes, 2 * width}, at::kFloat), {}, at::empty({width}, at::kFloat)};
  const at::Tensor grad_score = at::empty({graph.num_edges()}, at::kFloat);
  const at::Tensor alpha_and_score = at::empty({graph.num_edges(), 2}, at::kFloat);
  cpu::run(cpu::EdgeAttentionBackwardByDestination<S>{
      rows_of(graph.in_offset, graph.in_neighbour), width, pq, static_cast<const S*>(saved.h.data_ptr()), v,
      saved.agg.data_ptr<float>(), saved.alpha.data_ptr<float>(), grad_agg.data_ptr<float>(),
      grad.ab.data_ptr<float>(), grad_score.data_ptr<float>(), alpha_and_score.data_ptr<float>(),
      grad.v.data_ptr<float>(), at::get_num_threads()});
  const at::Tensor gathered = as_stored(grad_agg, precision);
  grad.h = at::empty({nodes, width}, at::kFloat);
  cpu::run(cpu::EdgeAttentionBackwardBySource<S>{
      rows_of(graph.out_offset, graph.out_neighbour, graph.out_edge), width, pq, v,
      alpha_and_score.data_ptr<float>(), static_cast<const S*>(gathered.data_ptr()), grad.ab.data_ptr<float>(),
      grad.h.data_ptr<float>(), at::get_num_threads()});
  return grad;
}

EdgeAttentionGradients backward_reference(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg) {
  EdgeAttentionGradients grad{at::empty_like(saved.pq), at::empty_like(saved.h), at::empty_like(saved.v)};
  kernels::reference::edge_attention_backward<double>(
      rows_of(graph.in_offset, graph.in_neighbour), saved.h.size(1), saved.pq.data_ptr<double>(),
      saved.h.data_ptr<double>(), saved.v.data_ptr<double>(), saved.alpha.data_ptr<double>(),
      grad_agg.data_ptr<double>(), grad.ab.data_ptr<double>(), grad.h.data_ptr<double>(), grad.v.data_ptr<double>());
  return grad;
}

template <class S>
EdgeAttentionGradients backward_on_gpu(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg) {
  const cuda::Stream stream = current_stream();
  const int64_t nodes = saved.h.size(0), width = saved.h.size(1);
  const auto options = grad_agg.options();
  const auto* pq = static_cast<const S*>(saved.pq.data_ptr());
  const auto* v = saved.v.data_ptr<float>();
  const bool half = std::is_same_v<S, Bf16>;
  const at::Tensor lse_and_delta = at::empty({nodes, 2}, options), grad_score = at::empty({graph.num_edges()}, options);
  const at::Tensor gathered = half ? at::empty(grad_agg.sizes(), options.dtype(at::kBFloat16)) : grad_agg;
  cuda::run(cuda::EdgeAttentionDelta{nodes, width, saved.agg.data_ptr<float>(), saved.lse.data_ptr<float>(),
                                     grad_agg.data_ptr<float>(), lse_and_delta.data_ptr<float>(),
                                     half ? static_cast<Bf16*>(gathered.data_ptr()) : nullptr, stream});
  EdgeAttentionGradients grad{at::empty({nodes, 2 * width}, options), at::empty({nodes, width}, options), at::empty({width}, options)};
  const at::Tensor by_source = scratch_for(graph.out_long, 2 * width, grad_agg);
  cuda::run(cuda::EdgeAttentionBackwardBySource<S>{
      device_rows_of(graph.out_offset, graph.out_neighbour, graph.out_long, graph.out_edge), width, pq,
      static_cast<const S*>(saved.h.data_ptr()), v, saved.alpha.data_ptr<float>(), lse_and_delta.data_ptr<float>(),
      static_cast<const S*>(gathered.data_ptr()), grad.ab.data_ptr<float>(), grad.h.data_ptr<float>(),
      grad_score.data_ptr<float>(), by_source.data_ptr<float>(), stream});
  const cuda::DeviceRows incoming = device_rows_of(graph.in_offset, graph.in_neighbour, graph.in_long);
  const at::Tensor by_destination = scratch_for(graph.in_long, width, grad_agg);
  const at::Tensor v_sums = at::empty({cuda::v_scratch_rows(incoming, width), width}, options);
  cuda::run(cuda::EdgeAttentionBackwardByDestination<S>{incoming, width, pq, v, grad_score.data_ptr<float>(),
                                                        grad.ab.data_ptr<float>(), grad.v.data_ptr<float>(),
                                                        by_destination.data_ptr<float>(), v_sums.data_ptr<float>(),
                                                        stream});
  return grad;
}

EdgeAttentionGradients backward(const GraphTensors& graph, const Saved& saved, const at::Tensor& grad_agg, Precision precision) {
  const bool half = precision == Precision::kBf16;
  if (grad_agg.is_cuda()) {
    return half ? backward_on_gpu<Bf16>(graph, saved, grad_agg) : backward_on_gpu<float>(graph, saved, grad_agg);
  }
  if (grad_agg.scalar_type() == at::kDouble) return backward_reference(graph, saved, grad_agg);
  return half ? backward_fused<Bf16>(graph, saved, grad_agg, precision)
              : backward_fused<float>(graph, saved, grad_agg, precision);
}

struct EdgeAttention : torch::autograd::Function<EdgeAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                            const GraphTensors& graph, int64_t precision) {
    const Saved saved = ops::forward(graph, ab, h, v, static_cast<Precision>(precision));
    tensor_list kept{saved.pq, saved.h, v, saved.agg, saved.alpha, saved.lse};
    append(kept, graph);
    context->save_for_backward(kept);
    context->saved_data["precision"] = precision;
    return saved.agg;
  }

  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const Saved saved{kept[0], kept[1], kept[2], kept[3], kept[4], kept[5]};
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const EdgeAttentionGradients grad = ops::backward(graph_at(kept, 6), saved, grad_outputs[0].contiguous(), precision);
    return {grad.ab, grad.h, grad.v, {}, {}};
  }
};

struct ProjectedAttention : torch::autograd::Function<ProjectedAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                            const GraphTensors& graph, int64_t held_as) {
    const auto precision = static_cast<Precision>(held_as);
    const at::Tensor h_operand = as_operand(h, precision), w_operand = as_operand(w, precision);
    const at::Tensor ab = at::empty({h.size(0), w.size(1)}, h.options());
    matmul_into(ab, h_operand, Transpose::kNo, w_operand, Transpose::kNo, precision);
    const Saved saved = ops::forward(graph, ab, h_operand, v, precision);
    tensor_list kept{saved.pq, saved.h, v, saved.agg, saved.alpha, saved.lse, h_operand, w_operand};
    append(kept, graph);
    context->save_for_backward(kept);
    context->saved_data["precision"] = held_as;
    return saved.agg;
  }

  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const Saved saved{kept[0], kept[1], kept[2], kept[3], kept[4], kept[5]};
    const at::Tensor &h = kept[6], &w = kept[7];
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const EdgeAttentionGradients grad = ops::backward(graph_at(kept, 8), saved, grad_outputs[0].contiguous(), precision);
    const at::Tensor grad_ab = as_operand(grad.ab, precision);
    const at::Tensor grad_w = at::empty(w.sizes(), grad.ab.options());
    matmul_into(grad.h, grad_ab, Transpose::kNo, w, Transpose::kYes, precision, true);
    matmul_into(grad_w, h, Transpose::kYes, grad_ab, Transpose::kNo, precision);
    return {grad.h, grad_w, grad.v, {}, {}};
  }
};

}  // namespace

at::Tensor projected_attention(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                               Precision precision) {
  constexpr const char* kOp = "projected_attention";
  check_nodes(kOp, "h", h, graph);
  check_matrix(kOp, "w", w, h.size(1), 2 * h.size(1), h);
  check_vector(kOp, "v", v, h.size(1), h);
  return ProjectedAttention::apply(h.contiguous(), w.contiguous(), v.contiguous(), graph, static_cast<int64_t>(precision));
}

at::Tensor edge_attention(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                          Precision precision) {
  check(graph, ab, h, v);
  return EdgeAttention::apply(ab.contiguous(), h.contiguous(), v.contiguous(), graph, static_cast<int64_t>(precision));
}

at::Tensor edge_attention_weights(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& v) {
  const at::Tensor h = at::zeros({ab.size(0), v.size(0)}, ab.options());
  check(graph, ab, h, v);
  const Saved saved = ops::forward(graph, ab.detach().contiguous(), h, v.detach().contiguous(), Precision::kF32);
  if (!ab.is_cuda()) return saved.alpha;
  at::Tensor alpha = at::empty_like(saved.alpha);
  cuda::run(cuda::AlphaOfScores{device_rows_of(graph.in_offset, graph.in_neighbour, graph.in_long),
                                saved.alpha.data_ptr<float>(), saved.lse.data_ptr<float>(), alpha.data_ptr<float>(),
                                current_stream()});
  return alpha;
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def(
      "edge_attention(Tensor ab, Tensor h, Tensor v, Tensor in_offset, Tensor in_neighbour, Tensor out_offset, "
      "Tensor out_neighbour, Tensor out_edge, str precision='f32') -> Tensor",
      [](const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v, const at::Tensor& in_offset,
         const at::Tensor& in_neighbour, const at::Tensor& out_offset, const at::Tensor& out_neighbour,
         const at::Tensor& out_edge, c10::string_view precision) {
        const GraphTensors graph =
            graph_from_outside("edge_attention", in_offset, in_neighbour, out_offset, out_neighbour, out_edge, h);
        return edge_attention(graph, ab, h, v, from_string<Precision>(std::string(precision), "precision"));
      });
}

}  // namespace geniepath::ops
