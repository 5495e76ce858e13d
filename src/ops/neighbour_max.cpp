#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/neighbour_max.h"
#include "kernels/cuda/neighbour_max.h"
#include "kernels/reference/neighbour_max.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

void forward_on_gpu(const GraphTensors& graph, bool skip_self, const at::Tensor& h, const at::Tensor& out,
                    const at::Tensor& choice) {
  const at::Tensor scratch = scratch_for(graph.in_long, h.size(1), h), places = at::empty_like(scratch, at::kInt);
  cuda::run(cuda::NeighbourMaxForward{device_rows_of(graph.in_offset, graph.in_neighbour, graph.in_long), skip_self,
                                      h.size(1), h.data_ptr<float>(), out.data_ptr<float>(), choice.data_ptr<int32_t>(),
                                      scratch.data_ptr<float>(), places.data_ptr<int32_t>(), current_stream()});
}

void backward_on_gpu(const GraphTensors& graph, const at::Tensor& choice, const at::Tensor& grad_out,
                     const at::Tensor& grad_h) {
  const at::Tensor scratch = scratch_for(graph.out_long, grad_out.size(1), grad_out);
  cuda::run(cuda::NeighbourMaxBackward{
      device_rows_of(graph.out_offset, graph.out_neighbour, graph.out_long, graph.out_edge), graph.in_offset.data_ptr(),
      grad_out.size(1), choice.data_ptr<int32_t>(), grad_out.data_ptr<float>(), grad_h.data_ptr<float>(),
      scratch.data_ptr<float>(), current_stream()});
}

struct NeighbourMax : torch::autograd::Function<NeighbourMax> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& graph, bool skip_self) {
    at::Tensor out = at::empty_like(h);
    at::Tensor choice = at::empty(h.sizes(), h.options().dtype(at::kInt));
    if (h.is_cuda()) {
      forward_on_gpu(graph, skip_self, h, out, choice);
    } else if (h.scalar_type() == at::kDouble) {
      kernels::reference::neighbour_max_forward<double>(rows_of(graph.in_offset, graph.in_neighbour), skip_self, h.size(1), h.data_ptr<double>(),
                                                        out.data_ptr<double>(), choice.data_ptr<int32_t>());
    } else {
      cpu::run(cpu::NeighbourMaxForward{rows_of(graph.in_offset, graph.in_neighbour), skip_self, h.size(1),
                                        h.data_ptr<float>(), out.data_ptr<float>(), choice.data_ptr<int32_t>(),
                                        at::get_num_threads()});
    }
    tensor_list kept{choice};
    append(kept, graph);
    context->save_for_backward(kept);
    return out;
  }

  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const at::Tensor &choice = kept[0], grad_out = grad_outputs[0].contiguous();
    const GraphTensors graph = graph_at(kept, 1);
    at::Tensor grad_h = at::empty_like(grad_out);
    if (grad_out.is_cuda()) {
      backward_on_gpu(graph, choice, grad_out, grad_h);
    } else if (grad_out.scalar_type() == at::kDouble) {
      kernels::reference::neighbour_max_backward<double>(rows_of(graph.in_offset, graph.in_neighbour), grad_out.size(1),
                                                         choice.data_ptr<int32_t>(), grad_out.data_ptr<double>(),
                                                         grad_h.data_ptr<double>());
    } else {
      cpu::run(cpu::NeighbourMaxBackward{rows_of(graph.out_offset, graph.out_neighbour, graph.out_edge),
                                         graph.in_offset.data_ptr<int64_t>(), grad_out.size(1), choice.data_ptr<int32_t>(), grad_out.data_ptr<float>(),
                                         grad_h.data_ptr<float>(), at::get_num_threads()});
    }
    return {grad_h, {}, {}};
  }
};

}  // namespace

at::Tensor neighbour_max(const GraphTensors& graph, const at::Tensor& h, bool skip_self) {
  check_nodes("neighbour_max", "h", h, graph);
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
