#include <ATen/ATen.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "ops/autograd.h"
#include "ops/checks.h"
#include "ops/halo.h"
#include "ops/index_tensors.h"
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

}  // namespace

at::Tensor neighbour_sum(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& destination_scale,
                         const at::Tensor& source_scale) {
  constexpr const char* kOp = "neighbour_sum";
  check_nodes(kOp, "h", h, graph);
  if (destination_scale.defined()) check_vector(kOp, "destination_scale", destination_scale, h.size(0), h);
  if (source_scale.defined()) check_vector(kOp, "source_scale", source_scale, h.size(0), h);
  if (graph.halo) {  // scaled by their owners
    const at::Tensor rows = with_halo_rows(graph, source_scale.defined() ? h * source_scale.unsqueeze(1) : h);
    const at::Tensor sum = own_rows(graph, neighbour_sum(with_halo_nodes(graph), rows));
    return destination_scale.defined() ? sum * destination_scale.unsqueeze(1) : sum;
  }
  return NeighbourSum::apply(h.contiguous(), graph, optional(destination_scale), optional(source_scale));
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def(
      "neighbour_sum(Tensor h, Tensor in_offset, Tensor in_neighbour, Tensor out_offset, Tensor out_neighbour, "
      "Tensor out_edge, Tensor? destination_scale=None, Tensor? source_scale=None) -> Tensor",
      [](const at::Tensor& h, const at::Tensor& in_offset, const at::Tensor& in_neighbour,
         const at::Tensor& out_offset, const at::Tensor& out_neighbour, const at::Tensor& out_edge,
         const c10::optional<at::Tensor>& destination_scale, const c10::optional<at::Tensor>& source_scale) {
        const GraphTensors graph =
            graph_from_outside("neighbour_sum", in_offset, in_neighbour, out_offset, out_neighbour, out_edge, h);
        return neighbour_sum(graph, h, destination_scale.value_or(at::Tensor()), source_scale.value_or(at::Tensor()));
      });
}

}  // namespace geniepath::ops
