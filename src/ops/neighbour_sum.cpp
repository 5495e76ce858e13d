#include <ATen/ATen.h>

#include "geniepath/ops.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/given_graph.h"
#include "ops/halo.h"
#include "ops/index_tensors.h"
#include "ops/registered.h"
#include "ops/spmm.h"

namespace geniepath::ops {
namespace {

// The gradient of a scaled sum is the sum over the transposed edges with the two scales exchanged.
struct NeighbourSum : OnceDifferentiable<NeighbourSum> {
  static constexpr const char* kName = "neighbour_sum";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& graph,
                            const c10::optional<at::Tensor>& destination_scale,
                            const c10::optional<at::Tensor>& source_scale) {
    const at::Tensor left = destination_scale.value_or(at::Tensor()), right = source_scale.value_or(at::Tensor());
    tensor_list kept{left, right};
    append(kept, outgoing(graph));
    context->save_for_backward(kept);
    return spmm(incoming(graph), {}, h, left, right);
  }
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    return {spmm(rows_at(kept, 2), {}, grad_outputs[0].contiguous(), kept[1], kept[0]), {}, {}, {}};
  }
};

// The sum on a divided graph.
struct DividedSum : OnceDifferentiable<DividedSum> {
  static constexpr const char* kName = "neighbour_sum";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& given) {
    const DividedGraph graph(given);
    const at::Tensor sum = at::empty_like(h);
    while_rows_travel(graph, h, [&](const at::Tensor& rows, int64_t first, int64_t last) {
      sum_rows_on_cpu(graph.in, first, last, rows, sum);
    });
    tensor_list kept;
    graph.keep(*context, kept);
    context->save_for_backward(kept);
    return sum;
  }
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const DividedGraph graph(*context, context->get_saved_variables(), 0);
    const at::Tensor grad = grad_outputs[0].contiguous();
    const at::Tensor all = at::empty({graph.own + graph.others, grad.size(1)}, grad.options());
    const auto sum = [&](int64_t first, int64_t last) { sum_rows_on_cpu(graph.out, first, last, grad, all); };
    return {while_gradients_travel(graph, all, sum), {}};
  }
};

void check_sum(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& destination_scale,
               const at::Tensor& source_scale) {
  constexpr const char* kOp = "neighbour_sum";
  check_nodes(kOp, "h", h, graph);
  if (destination_scale.defined()) check_vector(kOp, "destination_scale", destination_scale, h.size(0), h);
  if (source_scale.defined()) check_vector(kOp, "source_scale", source_scale, h.size(0), h);
}

}  // namespace

at::Tensor neighbour_sum(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& destination_scale,
                         const at::Tensor& source_scale) {
  check_sum(graph, h, destination_scale, source_scale);
  if (graph.halo) {  // scaled by their owners
    const at::Tensor scaled = source_scale.defined() ? h * source_scale.unsqueeze(1) : h;
    const at::Tensor sum = backend_of(h) == Backend::kGpu
                               ? own_rows(graph, neighbour_sum(with_halo_nodes(graph), with_halo_rows(graph, scaled)))
                               : DividedSum::apply(scaled.contiguous(), graph);
    return destination_scale.defined() ? sum * destination_scale.unsqueeze(1) : sum;
  }
  return NeighbourSum::apply(h.contiguous(), graph, optional(destination_scale), optional(source_scale));
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  using Scale = c10::optional<at::Tensor>;
  const auto forward = [](const at::Tensor& h, at::TensorList tensors, const Scale& destination_scale,
                          const Scale& source_scale) {
    const GraphTensors graph = given_graph("neighbour_sum", tensors, h);
    const at::Tensor left = given(destination_scale), right = given(source_scale);
    check_sum(graph, h, left, right);
    return spmm(incoming(graph), {}, h.contiguous(), left, right);
  };
  const auto backward = [](at::TensorList grads, at::TensorList, const Wanted& wanted, const at::Tensor& h,
                           at::TensorList tensors, const Scale& destination_scale, const Scale& source_scale) {
    const GraphTensors graph = given_graph("neighbour_sum", tensors, h);
    const at::Tensor left = given(destination_scale), right = given(source_scale);
    check_sum(graph, h, left, right);
    const at::Tensor grad = gradient_of("neighbour_sum", grads, 0, h.sizes(), h);
    return wanted_gradients("neighbour_sum", wanted, {spmm(outgoing(graph), {}, grad, right, left), {}, {}});
  };
  define(library,
         {"neighbour_sum", "Tensor h, Tensor[] graph, Tensor? destination_scale=None, Tensor? source_scale=None"},
         forward, backward);
}

}  // namespace geniepath::ops
