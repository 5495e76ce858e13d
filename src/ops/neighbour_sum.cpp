#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/spmm.h"
#include "kernels/cuda/spmm.h"
#include "kernels/reference/spmm.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

at::Tensor scaled_sum(const at::Tensor& offset, const at::Tensor& neighbour, const LongRowTensors& cut,
                      const at::Tensor& row_scale, const at::Tensor& column_scale, const at::Tensor& x) {
  at::Tensor out = at::empty_like(x);
  if (x.is_cuda()) {
    const at::Tensor scratch = scratch_for(cut, x.size(1), x);
    cuda::run(cuda::Spmm{device_rows_of(offset, neighbour, cut), nullptr, x.size(1), x.data_ptr<float>(),
                         out.data_ptr<float>(), scratch.data_ptr<float>(), pointer<float>(row_scale),
                         pointer<float>(column_scale), current_stream()});
    return out;
  }
  const kernels::Rows rows = rows_of(offset, neighbour);
  if (x.scalar_type() == at::kDouble) {
    kernels::reference::spmm<double, double>(rows, nullptr, x.size(1), x.data_ptr<double>(), out.data_ptr<double>(),
                                             pointer<double>(row_scale), pointer<double>(column_scale));
  } else {
    cpu::run(cpu::Spmm{rows, nullptr, x.size(1), x.data_ptr<float>(), out.data_ptr<float>(), at::get_num_threads(),
                       pointer<float>(row_scale), pointer<float>(column_scale)});
  }
  return out;
}

// The transpose of a scaled sum is the sum over the transposed edges with the scales in each other's place.
struct NeighbourSum : torch::autograd::Function<NeighbourSum> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& graph,
                            const c10::optional<at::Tensor>& destination_scale,
                            const c10::optional<at::Tensor>& source_scale) {
    const at::Tensor left = destination_scale.value_or(at::Tensor()), right = source_scale.value_or(at::Tensor());
    tensor_list kept{graph.out_offset, graph.out_neighbour, left, right};
    append(kept, graph.out_long);
    context->save_for_backward(kept);
    return scaled_sum(graph.in_offset, graph.in_neighbour, graph.in_long, left, right, h);
  }
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const at::Tensor grad_h =
        scaled_sum(kept[0], kept[1], long_rows_at(kept, 4), kept[3], kept[2], grad_outputs[0].contiguous());
    return {grad_h, {}, {}, {}};
  }
};

}  // namespace

at::Tensor neighbour_sum(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& destination_scale,
                         const at::Tensor& source_scale) {
  constexpr const char* kOp = "neighbour_sum";
  check_nodes(kOp, "h", h, graph);
  if (destination_scale.defined()) check_vector(kOp, "destination_scale", destination_scale, h.size(0), h);
  if (source_scale.defined()) check_vector(kOp, "source_scale", source_scale, h.size(0), h);
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
