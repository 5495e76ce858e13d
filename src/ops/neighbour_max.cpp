#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/neighbour_max.h"
#include "kernels/cuda/neighbour_max.h"
#include "kernels/reference/neighbour_max.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/halo.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {
namespace {

// Writes the maxima of every row to `out`, and which neighbour attains each to `choice`.
void neighbour_max_forward(const RowTensors& rows, bool skip_self, const at::Tensor& h, const at::Tensor& out,
                           const at::Tensor& choice) {
  const int64_t width = h.size(1);
  const auto reference = [&] {
    kernels::reference::neighbour_max_forward<double>(cpu_rows(rows), skip_self, width, h.data_ptr<double>(),
                                                      out.data_ptr<double>(), choice.data_ptr<int32_t>());
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::NeighbourMaxForward{cpu_rows(rows), skip_self, width, h.data_ptr<float>(), out.data_ptr<float>(),
                                      choice.data_ptr<int32_t>(), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    const at::Tensor scratch = scratch_for(rows, width, h), places = at::empty_like(scratch, at::kInt);
    cuda::run(cuda::NeighbourMaxForward{gpu_rows(rows), skip_self, width, h.data_ptr<float>(), out.data_ptr<float>(),
                                        choice.data_ptr<int32_t>(), scratch.data_ptr<float>(),
                                        places.data_ptr<int32_t>(), current_stream()});
  };
  dispatch(h, reference, on_cpu, on_gpu);
}

void neighbour_max_backward(const GraphTensors& graph, const at::Tensor& choice, const at::Tensor& grad_out,
                            const at::Tensor& grad_h) {
  const int64_t width = grad_out.size(1);
  const RowTensors out = outgoing(graph);
  const auto reference = [&] {
    kernels::reference::neighbour_max_backward<double>(cpu_rows(incoming(graph)), width, choice.data_ptr<int32_t>(),
                                                       grad_out.data_ptr<double>(), grad_h.data_ptr<double>());
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::NeighbourMaxBackward{cpu_rows(out), graph.in_offset.data_ptr<int64_t>(), width,
                                       choice.data_ptr<int32_t>(), grad_out.data_ptr<float>(),
                                       grad_h.data_ptr<float>(), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    const at::Tensor scratch = scratch_for(out, width, grad_out);
    cuda::run(cuda::NeighbourMaxBackward{gpu_rows(out), graph.in_offset.data_ptr(), width, choice.data_ptr<int32_t>(),
                                         grad_out.data_ptr<float>(), grad_h.data_ptr<float>(),
                                         scratch.data_ptr<float>(), current_stream()});
  };
  dispatch(grad_out, reference, on_cpu, on_gpu);
}

struct NeighbourMax : OnceDifferentiable<NeighbourMax> {
  static constexpr const char* kName = "neighbour_max";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& graph, bool skip_self) {
    at::Tensor out = at::empty_like(h);
    at::Tensor choice = at::empty(h.sizes(), h.options().dtype(at::kInt));
    neighbour_max_forward(incoming(graph), skip_self, h, out, choice);
    tensor_list kept{choice};
    append(kept, graph);
    context->save_for_backward(kept);
    return out;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const at::Tensor &choice = kept[0], grad_out = grad_outputs[0].contiguous();
    at::Tensor grad_h = at::empty_like(grad_out);
    neighbour_max_backward(graph_at(kept, 1), choice, grad_out, grad_h);
    return {grad_h, {}, {}};
  }
};

}  // namespace

at::Tensor neighbour_max(const GraphTensors& graph, const at::Tensor& h, bool skip_self) {
  check_nodes("neighbour_max", "h", h, graph);
  if (graph.halo) return own_rows(graph, neighbour_max(with_halo_nodes(graph), with_halo_rows(graph, h), skip_self));
  return NeighbourMax::apply(h.contiguous(), graph, skip_self);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def(
      "neighbour_max(Tensor h, Tensor in_offset, Tensor in_neighbour, Tensor out_offset, Tensor out_neighbour, "
      "Tensor out_edge, bool skip_self=False) -> Tensor",
      [](const at::Tensor& h, const at::Tensor& in_offset, const at::Tensor& in_neighbour,
         const at::Tensor& out_offset, const at::Tensor& out_neighbour, const at::Tensor& out_edge, bool skip_self) {
        const GraphTensors graph =
            graph_from_outside("neighbour_max", in_offset, in_neighbour, out_offset, out_neighbour, out_edge, h);
        return neighbour_max(graph, h, skip_self);
      });
}

}  // namespace geniepath::ops
