#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/gated_memory.h"
#include "kernels/cpu/gates.h"
#include "kernels/cuda/gates.h"
#include "kernels/reference/gates.h"
#include "ops/add_bias.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/matmul.h"
#include "ops/precision.h"

namespace geniepath::ops {
namespace {

at::Tensor rows_from(const at::Tensor& x, int64_t begin, int64_t count) {
  return x.defined() ? x.narrow(0, begin, count) : x;
}

void gates_forward(const at::Tensor& gates, const at::Tensor& memory, const at::Tensor& new_memory,
                   const at::Tensor& out) {
  const int64_t rows = out.size(0), width = out.size(1);
  if (out.scalar_type() == at::kDouble) {
    kernels::reference::gates_forward<double>(rows, width, gates.data_ptr<double>(), pointer<double>(memory),
                                              gates.data_ptr<double>(), new_memory.data_ptr<double>(),
                                              out.data_ptr<double>());
  } else {
    cpu::run(cpu::GatesForward{rows, width, gates.data_ptr<float>(), pointer<float>(memory),
                               new_memory.data_ptr<float>(), out.data_ptr<float>(), at::get_num_threads()});
  }
}

void gates_backward(const at::Tensor& gates, const at::Tensor& memory, const at::Tensor& new_memory,
                    const at::Tensor& grad_out, const at::Tensor& grad_new_memory, const at::Tensor& grad_pre,
                    const at::Tensor& grad_memory) {
  const int64_t rows = new_memory.size(0), width = new_memory.size(1);
  if (new_memory.scalar_type() == at::kDouble) {
    kernels::reference::gates_backward<double>(rows, width, gates.data_ptr<double>(), pointer<double>(memory),
                                               new_memory.data_ptr<double>(), grad_out.data_ptr<double>(),
                                               pointer<double>(grad_new_memory), grad_pre.data_ptr<double>(),
                                               grad_memory.data_ptr<double>());
  } else {
    cpu::run(cpu::GatesBackward{rows, width, gates.data_ptr<float>(), pointer<float>(memory),
                                new_memory.data_ptr<float>(), grad_out.data_ptr<float>(),
                                pointer<float>(grad_new_memory), grad_pre.data_ptr<float>(),
                                pointer<float>(grad_memory), at::get_num_threads()});
  }
}

// pre = x w, or CONCAT(x, mu) w where mu is defined.
void pre_activations(const at::Tensor& pre, const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w,
                     Precision precision) {
  const int64_t width = x.size(1);
  matmul_into(pre, x, Transpose::kNo, w.narrow(0, 0, width), Transpose::kNo, precision);
  if (!mu.defined()) return;
  matmul_into(pre, mu, Transpose::kNo, w.narrow(0, width, width), Transpose::kNo, precision, true);
}

// On a GPU the gates are not kept; the product is taken again in backward, a block of rows at a time. Smaller blocks stay in
// the L2, but their products are slower: 16 Mi values measured best without adding to the peak.
int64_t gpu_block(int64_t nodes, int64_t width) {
  constexpr int64_t kValues = int64_t{16} << 20;
  return std::min(nodes, std::max<int64_t>(1024, kValues / (4 * width)));
}

void gates_forward_on_gpu(const at::Tensor& pre, const at::Tensor& bias, const at::Tensor& memory,
                          const at::Tensor& new_memory, const at::Tensor& out) {
  cuda::run(cuda::GatesForward{out.size(0), out.size(1), pre.data_ptr<float>(), pointer<float>(bias),
                               pointer<float>(memory), new_memory.data_ptr<float>(), out.data_ptr<float>(),
                               current_stream()});
}

void gates_backward_on_gpu(const at::Tensor& pre, const at::Tensor& bias, const at::Tensor& memory,
                           const at::Tensor& grad_out, const at::Tensor& grad_new_memory,
                           const at::Tensor& grad_memory) {
  cuda::run(cuda::GatesBackward{pre.size(0), pre.size(1) / 4, pre.data_ptr<float>(), pointer<float>(bias),
                                pointer<float>(memory), pointer<float>(grad_out), pointer<float>(grad_new_memory),
                                pointer<float>(grad_memory), current_stream()});
}

struct GatedMemoryOnGpu : torch::autograd::Function<GatedMemoryOnGpu> {
  static tensor_list forward(AutogradContext* context, const at::Tensor& x, const c10::optional<at::Tensor>& given_mu,
                             const at::Tensor& w, const c10::optional<at::Tensor>& given_bias,
                             const c10::optional<at::Tensor>& given_memory, int64_t held_as) {
    const at::Tensor bias = given_bias.value_or(at::Tensor()), memory = given_memory.value_or(at::Tensor());
    const auto precision = static_cast<Precision>(held_as);
    const at::Tensor x_operand = as_operand(x, precision), w_operand = as_operand(w, precision);
    const at::Tensor mu = given_mu.has_value() ? as_operand(*given_mu, precision) : at::Tensor();
    const int64_t nodes = x.size(0), width = x.size(1), most = gpu_block(nodes, width);
    const at::Tensor block = at::empty({most, 4 * width}, x.options());
    at::Tensor new_memory = at::empty_like(x), out = at::empty_like(x);
    for (int64_t begin = 0; begin < nodes; begin += most) {
      const int64_t count = std::min(most, nodes - begin);
      const at::Tensor pre = block.narrow(0, 0, count);
      pre_activations(pre, rows_from(x_operand, begin, count), rows_from(mu, begin, count), w_operand, precision);
      gates_forward_on_gpu(pre, bias, rows_from(memory, begin, count), rows_from(new_memory, begin, count),
                           rows_from(out, begin, count));
    }
    context->save_for_backward({x_operand, mu, w_operand, bias, memory});
    context->saved_data["precision"] = held_as;
    return {out, new_memory};
  }

  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &mu = saved[1], &w = saved[2], &bias = saved[3], &memory = saved[4];
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const at::Tensor grad_out = grad_outputs[0].defined() ? grad_outputs[0].contiguous() : at::Tensor();
    const at::Tensor grad_new_memory = grad_outputs[1].defined() ? grad_outputs[1].contiguous() : at::Tensor();
    const int64_t nodes = x.size(0), width = x.size(1), most = gpu_block(nodes, width);
    const auto options = x.options().dtype(at::kFloat);
    const auto gradient = [&](const at::Tensor& of) { return of.defined() ? at::empty({nodes, width}, options) : of; };
    at::Tensor grad_x = gradient(x), grad_mu = gradient(mu), grad_memory = gradient(memory);
    at::Tensor grad_w = at::empty({w.size(0), w.size(1)}, options), grad_bias;
    const at::Tensor block = at::empty({most, 4 * width}, options);
    for (int64_t begin = 0; begin < nodes; begin += most) {
      const int64_t count = std::min(most, nodes - begin);
      const at::Tensor pre = block.narrow(0, 0, count);
      pre_activations(pre, rows_from(x, begin, count), rows_from(mu, begin, count), w, precision);
      gates_backward_on_gpu(pre, bias, rows_from(memory, begin, count), rows_from(grad_out, begin, count),
                            rows_from(grad_new_memory, begin, count), rows_from(grad_memory, begin, count));
      const at::Tensor operand = as_operand(pre, precision);
      const auto through = [&](const at::Tensor& input, const at::Tensor& grad_input, int64_t first_row) {
        matmul_into(rows_from(grad_input, begin, count), operand, Transpose::kNo, w.narrow(0, first_row, width),
                    Transpose::kYes, precision);
        matmul_into(grad_w.narrow(0, first_row, width), rows_from(input, begin, count), Transpose::kYes, operand,
                    Transpose::kNo, precision, begin > 0);
      };
      through(x, grad_x, 0);
      if (mu.defined()) through(mu, grad_mu, width);
      if (bias.defined()) grad_bias = begin == 0 ? pre.sum(0) : grad_bias + pre.sum(0);
    }
    return {grad_x, grad_mu, grad_w, grad_bias, grad_memory, {}};
  }
};

// On a CPU, with products that are ours: they and the gates in one pass.
template <class S>
void forward_fused(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w, const at::Tensor& bias,
                   const at::Tensor& memory, const at::Tensor& gates, const at::Tensor& new_memory,
                   const at::Tensor& out) {
  cpu::run(cpu::GatedMemoryForward<S>{x.size(0), x.size(1), pointer<S>(x), pointer<S>(mu), pointer<S>(w),
                                      pointer<float>(bias), pointer<float>(memory), pointer<float>(gates),
                                      pointer<float>(new_memory), pointer<float>(out), at::get_num_threads()});
}

// With LibTorch's products (f64, or built without oneDNN) and on whole matrices.
void forward_plain(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w, const at::Tensor& bias,
                   const at::Tensor& memory, const at::Tensor& gates, const at::Tensor& new_memory, const at::Tensor& out,
                   Precision precision) {
  pre_activations(gates, x, mu, w, precision);
  if (bias.defined()) gates.add_(bias);
  gates_forward(gates, memory, new_memory, out);
}

struct Kept {
  at::Tensor x, mu, w, memory, gates, new_memory;
};

struct GatedMemoryGradients {
  at::Tensor x, mu, w, bias, memory;
};

template <class S>
void backward_fused(const Kept& kept, const at::Tensor& grad_out, const at::Tensor& grad_new_memory,
                    const GatedMemoryGradients& grad) {
  cpu::run(cpu::GatedMemoryBackward<S>{
      kept.x.size(0), kept.x.size(1), pointer<S>(kept.x), pointer<S>(kept.mu), pointer<S>(kept.w),
      pointer<float>(kept.memory), pointer<float>(kept.gates), pointer<float>(kept.new_memory), pointer<float>(grad_out),
      pointer<float>(grad_new_memory), pointer<float>(grad.x), pointer<float>(grad.mu), pointer<float>(grad.w),
      pointer<float>(grad.bias), pointer<float>(grad.memory), at::get_num_threads()});
}

void backward_plain(const Kept& kept, const at::Tensor& grad_out, const at::Tensor& grad_new_memory,
                    const GatedMemoryGradients& grad, Precision precision) {
  const int64_t width = kept.x.size(1);
  const at::Tensor grad_pre = at::empty_like(kept.gates);
  const at::Tensor grad_memory = grad.memory.defined() ? grad.memory : at::empty_like(kept.new_memory);
  gates_backward(kept.gates, kept.memory, kept.new_memory, grad_out, grad_new_memory, grad_pre, grad_memory);
  const at::Tensor operand = as_operand(grad_pre, precision);
  const auto through = [&](const at::Tensor& input, const at::Tensor& grad_input, int64_t first_row) {
    matmul_into(grad_input, operand, Transpose::kNo, kept.w.narrow(0, first_row, width), Transpose::kYes, precision);
    matmul_into(grad.w.narrow(0, first_row, width), input, Transpose::kYes, operand, Transpose::kNo, precision);
  };
  through(kept.x, grad.x, 0);
  if (kept.mu.defined()) through(kept.mu, grad.mu, width);
  if (grad.bias.defined()) grad.bias.copy_(sum_of_rows(grad_pre));
}

struct GatedMemory : torch::autograd::Function<GatedMemory> {
  static tensor_list forward(AutogradContext* context, const at::Tensor& x, const c10::optional<at::Tensor>& given_mu,
                             const at::Tensor& w, const c10::optional<at::Tensor>& given_bias,
                             const c10::optional<at::Tensor>& given_memory, int64_t held_as) {
    const auto precision = static_cast<Precision>(held_as);
    const at::Tensor bias = given_bias.value_or(at::Tensor()), memory = given_memory.value_or(at::Tensor());
    const at::Tensor x_operand = as_operand(x, precision), w_operand = as_operand(w, precision);
    const at::Tensor mu = given_mu.has_value() ? as_operand(*given_mu, precision) : at::Tensor();
    const at::Tensor gates = at::empty({x.size(0), 4 * x.size(1)}, x.scalar_type());
    at::Tensor new_memory = at::empty_like(x), out = at::empty_like(x);
    if (!matmul_is_ours(x_operand)) {
      forward_plain(x_operand, mu, w_operand, bias, memory, gates, new_memory, out, precision);
    } else if (x_operand.scalar_type() == at::kBFloat16) {
      forward_fused<Bf16>(x_operand, mu, w_operand, bias, memory, gates, new_memory, out);
    } else {
      forward_fused<float>(x_operand, mu, w_operand, bias, memory, gates, new_memory, out);
    }
    context->save_for_backward({x_operand, mu, w_operand, memory, gates, new_memory});
    context->saved_data["precision"] = held_as;
    context->saved_data["bias"] = bias.defined();
    return {out, new_memory};
  }

  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const Kept kept{saved[0], saved[1], saved[2], saved[3], saved[4], saved[5]};
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const auto options = kept.new_memory.options();
    const at::Tensor grad_out =
        grad_outputs[0].defined() ? grad_outputs[0].contiguous() : at::zeros_like(kept.new_memory);
    const at::Tensor grad_new_memory = grad_outputs[1].defined() ? grad_outputs[1].contiguous() : at::Tensor();
    const auto like = [&](const at::Tensor& x) { return x.defined() ? at::empty(x.sizes(), options) : x; };
    GatedMemoryGradients grad{like(kept.x), like(kept.mu), like(kept.w), {}, like(kept.memory)};
    if (context->saved_data["bias"].toBool()) grad.bias = at::empty({kept.gates.size(1)}, options);
    if (!matmul_is_ours(kept.x)) {
      backward_plain(kept, grad_out, grad_new_memory, grad, precision);
    } else if (kept.x.scalar_type() == at::kBFloat16) {
      backward_fused<Bf16>(kept, grad_out, grad_new_memory, grad);
    } else {
      backward_fused<float>(kept, grad_out, grad_new_memory, grad);
    }
    return {grad.x, grad.mu, grad.w, grad.bias, grad.memory, {}};
  }
};

}  // namespace

std::tuple<at::Tensor, at::Tensor> gated_memory(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w,
                                                const at::Tensor& bias, const at::Tensor& memory, Precision precision) {
  constexpr const char* kOp = "gated_memory";
  check_matrix(kOp, "x", x, -1, -1, x);
  if (mu.defined()) check_matrix(kOp, "mu", mu, x.size(0), x.size(1), x);
  check_matrix(kOp, "w", w, x.size(1) * (mu.defined() ? 2 : 1), 4 * x.size(1), x);
  if (bias.defined()) check_vector(kOp, "bias", bias, 4 * x.size(1), x);
  if (memory.defined()) check_matrix(kOp, "memory", memory, x.size(0), x.size(1), x);
  const auto held_as = static_cast<int64_t>(precision);
  const auto arguments = std::make_tuple(x.contiguous(), optional(mu), w.contiguous(), optional(bias), optional(memory), held_as);
  const auto on_cpu = [&] { return std::apply([](const auto&... a) { return GatedMemory::apply(a...); }, arguments); };
  const auto on_gpu = [&] { return std::apply([](const auto&... a) { return GatedMemoryOnGpu::apply(a...); }, arguments); };
  const tensor_list result = dispatch(x, on_cpu, on_gpu);
  return {result[0], result[1]};
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def(
      "gated_memory(Tensor x, Tensor? mu, Tensor w, Tensor? bias=None, Tensor? memory=None, str precision='f32') -> "
      "(Tensor, Tensor)",
      [](const at::Tensor& x, const c10::optional<at::Tensor>& mu, const at::Tensor& w,
         const c10::optional<at::Tensor>& bias, const c10::optional<at::Tensor>& memory, c10::string_view precision) {
        return gated_memory(x, mu.value_or(at::Tensor()), w, bias.value_or(at::Tensor()),
                            memory.value_or(at::Tensor()), precision_named(std::string(precision)));
      });
}

}  // namespace geniepath::ops
