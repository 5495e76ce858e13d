#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/gates.h"
#include "kernels/cuda/gates.h"
#include "kernels/reference/gates.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/matmul.h"
#include "ops/precision.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Rows taken through product and gates at a time: their [rows, 4K] gradients stay in cache and are never all alive.
constexpr int64_t kBlock = 2048;

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

struct GatedMemory : torch::autograd::Function<GatedMemory> {
  static tensor_list forward(AutogradContext* context, const at::Tensor& x, const c10::optional<at::Tensor>& given_mu,
                             const at::Tensor& w, const c10::optional<at::Tensor>& given_bias,
                             const c10::optional<at::Tensor>& given_memory, int64_t precision) {
    const at::Tensor mu = given_mu.value_or(at::Tensor()), bias = given_bias.value_or(at::Tensor());
    const at::Tensor memory = given_memory.value_or(at::Tensor());
    const auto operand = [&](const at::Tensor& t) { return as_operand(t, static_cast<Precision>(precision)); };
    const at::Tensor x_operand = operand(x), w_operand = operand(w);
    const at::Tensor mu_operand = mu.defined() ? operand(mu) : mu;
    const int64_t nodes = x.size(0), width = x.size(1);
    const at::Tensor gates = at::empty({nodes, 4 * width}, x.scalar_type());
    at::Tensor new_memory = at::empty_like(x), out = at::empty_like(x);
    for (int64_t begin = 0; begin < nodes; begin += kBlock) {
      const int64_t count = std::min(kBlock, nodes - begin);
      const at::Tensor pre = gates.narrow(0, begin, count);
      pre_activations(pre, rows_from(x_operand, begin, count), rows_from(mu_operand, begin, count), w_operand,
                      static_cast<Precision>(precision));
      if (bias.defined()) pre.add_(bias);
      gates_forward(pre, rows_from(memory, begin, count), rows_from(new_memory, begin, count),
                    rows_from(out, begin, count));
    }
    context->save_for_backward({x_operand, mu_operand, w_operand, memory, gates, new_memory});
    context->saved_data["precision"] = precision;
    context->saved_data["bias"] = bias.defined();
    return {out, new_memory};
  }

  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &mu = saved[1], &w = saved[2], &memory = saved[3], &gates = saved[4],
                     &new_memory = saved[5];
    const auto precision = static_cast<Precision>(context->saved_data["precision"].toInt());
    const int64_t nodes = x.size(0), width = x.size(1);
    const auto options = new_memory.options();
    const at::Tensor grad_out = grad_outputs[0].defined() ? grad_outputs[0].contiguous() : at::zeros_like(new_memory);
    const at::Tensor grad_new_memory = grad_outputs[1].defined() ? grad_outputs[1].contiguous() : at::Tensor();
    const bool wants_memory = memory.defined() || new_memory.scalar_type() == at::kDouble;
    at::Tensor grad_x = at::empty({nodes, width}, options), grad_w = at::zeros({w.size(0), w.size(1)}, options);
    at::Tensor grad_mu = mu.defined() ? at::empty({nodes, width}, options) : at::Tensor();
    at::Tensor grad_memory = wants_memory ? at::empty({nodes, width}, options) : at::Tensor();
    at::Tensor grad_bias = context->saved_data["bias"].toBool() ? at::zeros({4 * width}, options) : at::Tensor();
    const at::Tensor block = at::empty({std::min(kBlock, nodes), 4 * width}, options);
    for (int64_t begin = 0; begin < nodes; begin += kBlock) {
      const int64_t count = std::min(kBlock, nodes - begin);
      const at::Tensor grad_pre = block.narrow(0, 0, count);
      gates_backward(rows_from(gates, begin, count), rows_from(memory, begin, count),
                     rows_from(new_memory, begin, count), rows_from(grad_out, begin, count),
                     rows_from(grad_new_memory, begin, count), grad_pre, rows_from(grad_memory, begin, count));
      const at::Tensor operand = as_operand(grad_pre, precision);
      const auto through = [&](const at::Tensor& input, const at::Tensor& grad_input, int64_t first_row) {
        matmul_into(rows_from(grad_input, begin, count), operand, Transpose::kNo, w.narrow(0, first_row, width),
                    Transpose::kYes, precision);
        matmul_into(grad_w.narrow(0, first_row, width), rows_from(input, begin, count), Transpose::kYes, operand,
                    Transpose::kNo, precision, true);
      };
      through(x, grad_x, 0);
      if (mu.defined()) through(mu, grad_mu, width);
      if (grad_bias.defined()) grad_bias.add_(grad_pre.sum(0));
    }
    return {grad_x, grad_mu, grad_w, grad_bias, memory.defined() ? grad_memory : at::Tensor(), {}};
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
  const tensor_list result =
      x.is_cuda()
          ? GatedMemoryOnGpu::apply(x.contiguous(), optional(mu), w.contiguous(), optional(bias), optional(memory), held_as)
          : GatedMemory::apply(x.contiguous(), optional(mu), w.contiguous(), optional(bias), optional(memory), held_as);
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
