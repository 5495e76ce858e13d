#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/ops.h"
#include "kernels/cpu/gat_attention.h"
#include "kernels/cuda/gat_attention.h"
#include "kernels/reference/gat_attention.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/given_graph.h"
#include "ops/halo.h"
#include "ops/index_tensors.h"
#include "ops/mask_key.h"
#include "ops/registered.h"

namespace geniepath::ops {
namespace {

constexpr const char* kGatAttention = "gat_attention";

void check(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
           const GatOptions& options) {
  check_nodes(kGatAttention, "h", h, graph);
  check_matrix(kGatAttention, "dst", dst, h.size(0), -1, h);
  check_matrix(kGatAttention, "src", src, h.size(0), dst.size(1), h);
  if (dst.size(1) < 1 || h.size(1) % dst.size(1) != 0) {
    fail(kGatAttention, ": h has ", h.size(1), " columns, which ", dst.size(1), " heads do not divide evenly");
  }
  if (!(options.dropout >= 0 && options.dropout < 1)) {
    fail(kGatAttention, ": dropout is ", options.dropout, ", expected 0 to below 1");
  }
}

// Arguments of forward and backward other than the graph.
struct Problem {
  at::Tensor dst, src, h;
  GatOptions options;

  int64_t heads() const { return dst.size(1); }
  int64_t width() const { return h.size(1) / heads(); }
  template <class Key>
  kernels::GatScores<Key> scores(const Key& key) const {
    return {heads(), width(), static_cast<float>(options.negative_slope), dst.data_ptr<float>(), src.data_ptr<float>(),
            options.dropout, key};
  }
  cpu::GatScores cpu_scores() const { return scores(options.dropout_key.value()); }
  cuda::GatScores gpu_scores(const at::Tensor& lse) const {
    return {scores(gpu_key(options.dropout_key)), lse.data_ptr<float>()};
  }
  kernels::reference::GatScores<double> reference_scores() const {
    return {heads(),         options.negative_slope, dst.data_ptr<double>(), src.data_ptr<double>(),
            options.dropout, options.dropout_key.value()};
  }
};

struct Output {
  at::Tensor out, lse;
};

Output attend(const GraphTensors& graph, const Problem& problem) {
  const Output result{at::empty_like(problem.h), at::empty_like(problem.dst)};
  const RowTensors in = incoming(graph);
  const auto reference = [&] {
    kernels::reference::gat_attention_forward<double>(cpu_rows(in), problem.width(), problem.reference_scores(),
                                                      problem.h.data_ptr<double>(), result.out.data_ptr<double>(),
                                                      result.lse.data_ptr<double>());
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::GatAttentionForward{cpu_rows(in), problem.cpu_scores(), problem.h.data_ptr<float>(),
                                      result.out.data_ptr<float>(), result.lse.data_ptr<float>(),
                                      at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    const cuda::DeviceRows rows = gpu_rows(in);
    const cuda::GatScores scores = problem.gpu_scores(result.lse);
    const at::Tensor scratch = scratch_for(in, problem.h.size(1), problem.h);
    cuda::run(cuda::GatLogSumExp{rows, scores, result.lse.data_ptr<float>(), current_stream()});
    cuda::run(cuda::GatAttentionForward{rows, scores, problem.h.data_ptr<float>(), result.out.data_ptr<float>(),
                                        scratch.data_ptr<float>(), current_stream()});
  };
  dispatch(problem.h, reference, on_cpu, on_gpu);
  return result;
}

struct GatAttentionGradients {
  at::Tensor dst, src, h;
};

GatAttentionGradients backward(const GraphTensors& graph, const Problem& problem, const Output& kept,
                               const at::Tensor& delta, const at::Tensor& grad_out) {
  const GatAttentionGradients grad{at::empty_like(problem.dst), at::empty_like(problem.src), at::empty_like(problem.h)};
  const RowTensors in = incoming(graph), out = outgoing(graph);
  const at::Tensor grad_score = at::empty({graph.num_edges(), problem.heads()}, problem.h.options());
  const auto reference = [&] {
    kernels::reference::gat_attention_backward<double>(
        cpu_rows(in), problem.width(), problem.reference_scores(), problem.h.data_ptr<double>(),
        kept.lse.data_ptr<double>(), delta.data_ptr<double>(), grad_out.data_ptr<double>(), grad.dst.data_ptr<double>(),
        grad.src.data_ptr<double>(), grad.h.data_ptr<double>());
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::GatAttentionBackwardBySource{
        cpu_rows(out), problem.cpu_scores(), problem.h.data_ptr<float>(), delta.data_ptr<float>(),
        grad_out.data_ptr<float>(), grad.h.data_ptr<float>(), grad_score.data_ptr<float>(), kept.lse.data_ptr<float>(),
        grad.src.data_ptr<float>(), at::get_num_threads()});
    cpu::run(cpu::EdgeSums{cpu_rows(in), problem.heads(), grad_score.data_ptr<float>(), grad.dst.data_ptr<float>(),
                           at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    const at::Tensor scratch = scratch_for(out, problem.h.size(1), problem.h);
    const cuda::DeviceRows by_source = gpu_rows(out), by_destination = gpu_rows(in);
    const auto* score = grad_score.data_ptr<float>();
    cuda::run(cuda::GatAttentionBackward{by_source, problem.gpu_scores(kept.lse), problem.h.data_ptr<float>(),
                                         delta.data_ptr<float>(), grad_out.data_ptr<float>(), grad.h.data_ptr<float>(),
                                         grad_score.data_ptr<float>(), scratch.data_ptr<float>(), current_stream()});
    cuda::run(cuda::EdgeSums{by_source, problem.heads(), score, grad.src.data_ptr<float>(), current_stream()});
    cuda::run(cuda::EdgeSums{by_destination, problem.heads(), score, grad.dst.data_ptr<float>(), current_stream()});
  };
  dispatch(grad_out, reference, on_cpu, on_gpu);
  return grad;
}

// The checked operands of a registered call.
Problem problem_of(const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h, const GraphTensors& graph,
                   double negative_slope, double dropout, int64_t dropout_key) {
  const GatOptions options{negative_slope, dropout, MaskKey(static_cast<uint64_t>(dropout_key)).to(h.device())};
  check(graph, dst, src, h, options);
  return {dst.contiguous(), src.contiguous(), h.contiguous(), options};
}

// [N, H]: grad_out . out of each head.
at::Tensor delta_of(const Problem& problem, const at::Tensor& out, const at::Tensor& grad_out) {
  return (grad_out * out).view({grad_out.size(0), problem.heads(), problem.width()}).sum(2).contiguous();
}

GatAttentionGradients gradients(const GraphTensors& graph, const Problem& problem, const Output& kept,
                                const at::Tensor& grad) {
  const at::Tensor grad_out = grad.contiguous();
  return backward(graph, problem, kept, delta_of(problem, kept.out, grad_out), grad_out);
}

void keep_options(AutogradContext& context, const GatOptions& options) {
  context.saved_data["negative_slope"] = options.negative_slope;
  context.saved_data["dropout"] = options.dropout;
  keep(context, options.dropout_key);
}

GatOptions kept_options(AutogradContext& context) {
  return {context.saved_data["negative_slope"].toDouble(), context.saved_data["dropout"].toDouble(), kept_key(context)};
}

struct GatAttention : OnceDifferentiable<GatAttention> {
  static constexpr const char* kName = "gat_attention";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& dst, const at::Tensor& src,
                            const at::Tensor& h, const GraphTensors& graph, const GatOptions& options) {
    const Output result = attend(graph, {dst, src, h, options});
    tensor_list kept{dst, src, h, result.out, result.lse};
    append(kept, graph);
    context->save_for_backward(kept);
    keep_options(*context, options);
    return result.out;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const Problem problem{saved[0], saved[1], saved[2], kept_options(*context)};
    const Output kept{saved[3], saved[4]};
    const GatAttentionGradients grad = ops::gradients(graph_at(saved, 5), problem, kept, grad_outputs[0]);
    return {grad.dst, grad.src, grad.h, {}, {}};
  }
};

// The attention on a divided graph, by the CPU's kernels. src and h travel as one matrix, side by side.
struct DividedGatAttention : OnceDifferentiable<DividedGatAttention> {
  static constexpr const char* kName = kGatAttention;

  static at::Tensor forward(AutogradContext* context, const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                            const GraphTensors& given, const GatOptions& options) {
    const DividedGraph graph(given);
    const int64_t heads = dst.size(1), nodes = graph.own + graph.others;
    const Problem all{dst, at::empty({nodes, heads}, src.options()), at::empty({nodes, h.size(1)}, h.options()),
                      options};
    const Output result{at::empty_like(h), at::empty_like(dst)};
    int64_t known = 0;  // rows of src and h, which arrive own ones first
    while_rows_travel(graph, at::cat({src, h}, 1), [&](const at::Tensor& rows, int64_t first, int64_t last) {
      const int64_t there = known == 0 ? graph.own : nodes;
      const at::Tensor arrived = rows.narrow(0, known, there - known);
      all.src.narrow(0, known, there - known).copy_(arrived.narrow(1, 0, heads));
      all.h.narrow(0, known, there - known).copy_(arrived.narrow(1, heads, h.size(1)));
      known = there;
      cpu::run(cpu::GatAttentionForward{cpu_rows(graph.in, first, last), all.cpu_scores(), all.h.data_ptr<float>(),
                                        result.out.data_ptr<float>(), result.lse.data_ptr<float>(),
                                        at::get_num_threads()});
    });
    tensor_list kept{dst, all.src, all.h, result.out, result.lse};
    graph.keep(*context, kept);
    context->save_for_backward(kept);
    keep_options(*context, options);
    return result.out;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const DividedGraph graph(*context, kept, 5);
    const Problem problem{kept[0], kept[1], kept[2], kept_options(*context)};
    const at::Tensor grad_out = grad_outputs[0].contiguous(), delta = delta_of(problem, kept[3], grad_out);
    const GatAttentionGradients grad{at::empty_like(problem.dst), at::empty_like(problem.src),
                                     at::empty_like(problem.h)};
    const at::Tensor grad_score = at::empty({graph.in.entries(), problem.heads()}, grad_out.options());
    const at::Tensor both =
        at::empty({graph.own + graph.others, problem.heads() + problem.h.size(1)}, grad_out.options());
    const at::Tensor own = while_gradients_travel(graph, both, [&](int64_t first, int64_t last) {
      cpu::run(cpu::GatAttentionBackwardBySource{
          cpu_rows(graph.out, first, last), problem.cpu_scores(), problem.h.data_ptr<float>(), delta.data_ptr<float>(),
          grad_out.data_ptr<float>(), grad.h.data_ptr<float>(), grad_score.data_ptr<float>(), kept[4].data_ptr<float>(),
          grad.src.data_ptr<float>(), at::get_num_threads()});
      const auto rows = [&](const at::Tensor& x) { return x.narrow(0, first, last - first); };
      rows(both).copy_(at::cat({rows(grad.src), rows(grad.h)}, 1));
      if (first > 0) return;
      cpu::run(cpu::EdgeSums{cpu_rows(graph.in, 0, graph.own), problem.heads(), grad_score.data_ptr<float>(),
                             grad.dst.data_ptr<float>(), at::get_num_threads()});
    });
    return {grad.dst, own.narrow(1, 0, problem.heads()), own.narrow(1, problem.heads(), problem.h.size(1)), {}, {}};
  }
};

}  // namespace

at::Tensor gat_attention(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                         const GatOptions& options) {
  check(graph, dst, src, h, options);
  const GatOptions here{options.negative_slope, options.dropout, options.dropout_key.to(h.device())};
  if (graph.halo && backend_of(h) == Backend::kCpu) {
    return DividedGatAttention::apply(dst.contiguous(), src.contiguous(), h.contiguous(), graph, here);
  }
  if (graph.halo) {
    const int64_t heads = dst.size(1), width = h.size(1);
    const at::Tensor rows = with_halo_rows(graph, at::cat({dst, src, h}, 1));
    return own_rows(graph, gat_attention(with_halo_nodes(graph), rows.narrow(1, 0, heads), rows.narrow(1, heads, heads),
                                         rows.narrow(1, 2 * heads, width), options));
  }
  return GatAttention::apply(dst.contiguous(), src.contiguous(), h.contiguous(), graph, here);
}

at::Tensor gat_attention_weights(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src,
                                 double negative_slope) {
  const at::NoGradGuard no_grad;
  const Problem problem{
      dst.contiguous(), src.contiguous(), at::zeros_like(dst), {negative_slope, 0, MaskKey(0).to(dst.device())}};
  check(graph, problem.dst, problem.src, problem.h, problem.options);
  const at::Tensor lse = attend(graph, problem).lse;
  const at::Tensor destination = at::repeat_interleave(graph.in_offset.diff());
  const at::Tensor sum = dst.index_select(0, destination) + src.index_select(0, graph.in_neighbour);
  return at::exp(at::leaky_relu(sum, negative_slope) - lse.index_select(0, destination));
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto forward = [](const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                                    at::TensorList tensors, double slope, double dropout, int64_t key) {
    const GraphTensors graph = given_graph(kGatAttention, tensors, h);
    const Output result = attend(graph, problem_of(dst, src, h, graph, slope, dropout, key));
    return std::make_tuple(result.out, result.lse);
  };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted,
                                     const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                                     at::TensorList tensors, double slope, double dropout, int64_t key) {
    const GraphTensors graph = given_graph(kGatAttention, tensors, h);
    const Problem problem = problem_of(dst, src, h, graph, slope, dropout, key);
    const auto result = [&](size_t place, const at::Tensor& like) {
      return forward_result(kGatAttention, results, place, like.sizes(), h.scalar_type(), h);
    };
    const GatAttentionGradients grad =
        gradients(graph, problem, {result(0, h), result(1, dst)}, gradient_of(kGatAttention, grads, 0, h.sizes(), h));
    return wanted_gradients(kGatAttention, wanted, {grad.dst, grad.src, grad.h});
  };
  define(library,
         {"gat_attention",
          "Tensor dst, Tensor src, Tensor h, Tensor[] graph, float negative_slope=0.2, float dropout=0., int "
          "dropout_key=0",
          "Tensor", "(Tensor, Tensor)"},
         forward, backward);
}

}  // namespace geniepath::ops
