#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/ops.h"
#include "kernels/cpu/neighbour_max.h"
#include "kernels/cuda/neighbour_max.h"
#include "kernels/reference/neighbour_max.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/given_graph.h"
#include "ops/halo.h"
#include "ops/index_tensors.h"
#include "ops/registered.h"

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

struct Maxima {
  at::Tensor out, choice;
};

Maxima maxima(const GraphTensors& graph, const at::Tensor& h, bool skip_self) {
  const Maxima found{at::empty_like(h), at::empty(h.sizes(), h.options().dtype(at::kInt))};
  neighbour_max_forward(incoming(graph), skip_self, h, found.out, found.choice);
  return found;
}

struct NeighbourMax : OnceDifferentiable<NeighbourMax> {
  static constexpr const char* kName = "neighbour_max";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& graph, bool skip_self) {
    const Maxima found = maxima(graph, h, skip_self);
    tensor_list kept{found.choice};
    append(kept, graph);
    context->save_for_backward(kept);
    return found.out;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const at::Tensor &choice = kept[0], grad_out = grad_outputs[0].contiguous();
    at::Tensor grad_h = at::empty_like(grad_out);
    neighbour_max_backward(graph_at(kept, 1), choice, grad_out, grad_h);
    return {grad_h, {}, {}};
  }
};

// The maximum on a divided graph, by the CPU's kernels.
struct DividedMax : OnceDifferentiable<DividedMax> {
  static constexpr const char* kName = "neighbour_max";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const GraphTensors& given, bool skip_self) {
    const DividedGraph graph(given);
    const Maxima found{at::empty_like(h), at::empty(h.sizes(), h.options().dtype(at::kInt))};
    while_rows_travel(graph, h, [&](const at::Tensor& rows, int64_t first, int64_t last) {
      cpu::run(cpu::NeighbourMaxForward{cpu_rows(graph.in, first, last), skip_self, h.size(1), rows.data_ptr<float>(),
                                        found.out.data_ptr<float>(), found.choice.data_ptr<int32_t>(),
                                        at::get_num_threads()});
    });
    tensor_list kept{found.choice};
    graph.keep(*context, kept);
    context->save_for_backward(kept);
    return found.out;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const DividedGraph graph(*context, kept, 1);
    const at::Tensor grad = grad_outputs[0].contiguous();
    const at::Tensor all = at::empty({graph.own + graph.others, grad.size(1)}, grad.options());
    const auto collect = [&](int64_t first, int64_t last) {
      cpu::run(cpu::NeighbourMaxBackward{cpu_rows(graph.out, first, last), graph.in.offset.data_ptr<int64_t>(),
                                         grad.size(1), kept[0].data_ptr<int32_t>(), grad.data_ptr<float>(),
                                         all.data_ptr<float>(), at::get_num_threads()});
    };
    return {while_gradients_travel(graph, all, collect), {}, {}};
  }
};

}  // namespace

at::Tensor neighbour_max(const GraphTensors& graph, const at::Tensor& h, bool skip_self) {
  check_nodes("neighbour_max", "h", h, graph);
  if (graph.halo && backend_of(h) == Backend::kCpu) return DividedMax::apply(h.contiguous(), graph, skip_self);
  if (graph.halo) return own_rows(graph, neighbour_max(with_halo_nodes(graph), with_halo_rows(graph, h), skip_self));
  return NeighbourMax::apply(h.contiguous(), graph, skip_self);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto forward = [](const at::Tensor& h, at::TensorList tensors, bool skip_self) {
    const GraphTensors graph = given_graph("neighbour_max", tensors, h);
    check_nodes("neighbour_max", "h", h, graph);
    const Maxima found = maxima(graph, h.contiguous(), skip_self);
    return std::make_tuple(found.out, found.choice);
  };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted, const at::Tensor& h,
                           at::TensorList tensors, bool) {
    const GraphTensors graph = given_graph("neighbour_max", tensors, h);
    check_nodes("neighbour_max", "h", h, graph);
    const at::Tensor choice = forward_result("neighbour_max", results, 1, h.sizes(), at::kInt, h);
    const at::Tensor grad_h = at::empty(h.sizes(), h.options());
    neighbour_max_backward(graph, choice, gradient_of("neighbour_max", grads, 0, h.sizes(), h), grad_h);
    return wanted_gradients("neighbour_max", wanted, {grad_h});
  };
  define(library, {"neighbour_max", "Tensor h, Tensor[] graph, bool skip_self=False", "Tensor", "(Tensor, Tensor)"},
         forward, backward);
}

}  // namespace geniepath::ops
