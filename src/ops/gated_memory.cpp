#include <ATen/ATen.h>
#include <ATen/Parallel.h>

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
#include "ops/registered.h"

namespace geniepath::ops {
namespace {

// Tensors saved for backward.
struct Kept {
  at::Tensor x, mu, w;  // operands
  at::Tensor bias, memory;
  at::Tensor gates, new_memory;  // CPU only; on a GPU, and where narrow (is_narrow), the gates are recomputed
};

struct GatedMemoryGradients {
  at::Tensor x, mu, w, bias, memory;
};

at::Tensor rows_from(const at::Tensor& x, int64_t begin, int64_t count) {
  return x.defined() ? x.narrow(0, begin, count) : x;
}

Kept rows_from(const Kept& kept, int64_t begin, int64_t count) {
  const auto part = [&](const at::Tensor& x) { return rows_from(x, begin, count); };
  return {part(kept.x),      part(kept.mu),    kept.w, kept.bias,
          part(kept.memory), part(kept.gates), part(kept.new_memory)};
}

// pre = x w, or CONCAT(x, mu) w where mu is defined.
void pre_activations(const Kept& kept, const at::Tensor& pre, Precision precision) {
  const int64_t width = kept.x.size(1);
  matmul_into(pre, kept.x, Transpose::kNo, kept.w.narrow(0, 0, width), Transpose::kNo, precision);
  if (!kept.mu.defined()) return;
  matmul_into(pre, kept.mu, Transpose::kNo, kept.w.narrow(0, width, width), Transpose::kNo, precision, true);
}

// On the CPU the gates overwrite their pre-activations.
void gates_forward(const at::Tensor& pre, const at::Tensor& bias, const at::Tensor& memory,
                   const at::Tensor& new_memory, const at::Tensor& out) {
  const int64_t rows = out.size(0), width = out.size(1);
  const auto reference = [&] {
    if (bias.defined()) pre.add_(bias);
    kernels::reference::gates_forward<double>(rows, width, pre.data_ptr<double>(), pointer<double>(memory),
                                              pre.data_ptr<double>(), new_memory.data_ptr<double>(),
                                              out.data_ptr<double>());
  };
  const auto on_cpu = [&] {
    if (bias.defined()) pre.add_(bias);
    cpu::run(cpu::GatesForward{rows, width, pre.data_ptr<float>(), pointer<float>(memory), new_memory.data_ptr<float>(),
                               out.data_ptr<float>(), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    cuda::run(cuda::GatesForward{rows, width, pre.data_ptr<float>(), pointer<float>(bias), pointer<float>(memory),
                                 new_memory.data_ptr<float>(), out.data_ptr<float>(), current_stream()});
  };
  dispatch(pre, reference, on_cpu, on_gpu);
}

// Overwrites grad_pre, and grad_memory if defined.
void gates_backward(const Kept& kept, const at::Tensor& grad_out, const at::Tensor& grad_new_memory,
                    const at::Tensor& grad_pre, const at::Tensor& grad_memory, Precision precision) {
  const int64_t rows = kept.x.size(0), width = kept.x.size(1);
  const auto reference = [&] {
    kernels::reference::gates_backward<double>(
        rows, width, kept.gates.data_ptr<double>(), pointer<double>(kept.memory), kept.new_memory.data_ptr<double>(),
        grad_out.data_ptr<double>(), pointer<double>(grad_new_memory), grad_pre.data_ptr<double>(),
        pointer<double>(grad_memory));
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::GatesBackward{rows, width, kept.gates.data_ptr<float>(), pointer<float>(kept.memory),
                                kept.new_memory.data_ptr<float>(), grad_out.data_ptr<float>(),
                                pointer<float>(grad_new_memory), grad_pre.data_ptr<float>(),
                                pointer<float>(grad_memory), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    pre_activations(kept, grad_pre, precision);
    cuda::run(cuda::GatesBackward{rows, width, grad_pre.data_ptr<float>(), pointer<float>(kept.bias),
                                  pointer<float>(kept.memory), pointer<float>(grad_out),
                                  pointer<float>(grad_new_memory), pointer<float>(grad_memory), current_stream()});
  };
  dispatch(grad_pre, reference, on_cpu, on_gpu);
}

// Products, then gates, in blocks of as many rows as `block` has.
void forward_in_blocks(const Kept& kept, const at::Tensor& block, const at::Tensor& new_memory, const at::Tensor& out,
                       Precision precision) {
  const int64_t nodes = out.size(0), most = block.size(0);
  for (int64_t begin = 0; begin < nodes; begin += most) {
    const int64_t count = std::min(most, nodes - begin);
    const at::Tensor pre = block.narrow(0, 0, count);
    const Kept part = rows_from(kept, begin, count);
    pre_activations(part, pre, precision);
    gates_forward(pre, part.bias, part.memory, rows_from(new_memory, begin, count), rows_from(out, begin, count));
  }
}

void backward_in_blocks(const Kept& kept, const at::Tensor& block, const at::Tensor& grad_out,
                        const at::Tensor& grad_new_memory, GatedMemoryGradients& grad, Precision precision) {
  const int64_t nodes = kept.x.size(0), width = kept.x.size(1), most = block.size(0);
  if (nodes == 0) {
    grad.w.zero_();
    if (grad.bias.defined()) grad.bias.zero_();
  }
  for (int64_t begin = 0; begin < nodes; begin += most) {
    const int64_t count = std::min(most, nodes - begin);
    const auto part = [&](const at::Tensor& x) { return rows_from(x, begin, count); };
    const at::Tensor grad_pre = block.narrow(0, 0, count);
    gates_backward(rows_from(kept, begin, count), part(grad_out), part(grad_new_memory), grad_pre, part(grad.memory),
                   precision);
    const at::Tensor operand = as_operand(grad_pre, precision);
    const auto through = [&](const at::Tensor& input, const at::Tensor& grad_input, int64_t first_row) {
      matmul_into(part(grad_input), operand, Transpose::kNo, kept.w.narrow(0, first_row, width), Transpose::kYes,
                  precision);
      matmul_into(grad.w.narrow(0, first_row, width), part(input), Transpose::kYes, operand, Transpose::kNo, precision,
                  begin > 0);
    };
    through(kept.x, grad.x, 0);
    if (kept.mu.defined()) through(kept.mu, grad.mu, width);
    if (grad.bias.defined()) grad.bias = begin == 0 ? sum_of_rows(grad_pre) : grad.bias + sum_of_rows(grad_pre);
  }
}

// Buffer for the pre-activations that a GPU computes at a time. Smaller blocks stay in its L2 cache, but their products
// are slower: 16 Mi values measured best without raising peak memory.
at::Tensor gpu_block(int64_t nodes, int64_t width, const at::TensorOptions& options) {
  constexpr int64_t kValues = int64_t{16} << 20;
  return at::empty({std::min(nodes, std::max<int64_t>(1024, kValues / (4 * width))), 4 * width}, options);
}

// Products and gates in one pass, on the CPU where matmul_is_ours().
template <class S>
void forward_fused(const Kept& kept, const at::Tensor& out) {
  cpu::run(cpu::GatedMemoryForward<S>{
      out.size(0), out.size(1), pointer<S>(kept.x), pointer<S>(kept.mu), pointer<S>(kept.w), pointer<float>(kept.bias),
      pointer<float>(kept.memory), pointer<float>(kept.gates), pointer<float>(kept.new_memory), pointer<float>(out),
      at::get_num_threads()});
}

template <class S>
void backward_fused(const Kept& kept, const at::Tensor& grad_out, const at::Tensor& grad_new_memory,
                    const GatedMemoryGradients& grad) {
  cpu::run(cpu::GatedMemoryBackward<S>{kept.x.size(0), kept.x.size(1), pointer<S>(kept.x), pointer<S>(kept.mu),
                                       pointer<S>(kept.w), pointer<float>(kept.bias), pointer<float>(kept.memory),
                                       pointer<float>(kept.gates), pointer<float>(kept.new_memory),
                                       pointer<float>(grad_out), pointer<float>(grad_new_memory),
                                       pointer<float>(grad.x), pointer<float>(grad.mu), pointer<float>(grad.w),
                                       pointer<float>(grad.bias), pointer<float>(grad.memory), at::get_num_threads()});
}

enum class Gates { kKept, kRecomputed };  // on the CPU; a GPU recomputes them

// The forward pass of operands; writes kept.new_memory and, where they are kept, kept.gates. Returns out.
at::Tensor run_forward(Kept& kept, Gates gates, const at::TensorOptions& options, Precision precision) {
  const int64_t nodes = kept.x.size(0), width = kept.x.size(1);
  const at::Tensor new_memory = at::empty({nodes, width}, options), out = at::empty({nodes, width}, options);
  const auto on_cpu = [&] {
    const bool ours = matmul_is_ours(kept.x);
    kept.new_memory = new_memory;
    if (!ours || gates == Gates::kKept) kept.gates = at::empty({nodes, 4 * width}, options);
    if (!ours) return forward_in_blocks(kept, kept.gates, new_memory, out, precision);
    with_storage_of(kept.x, [&](auto storage) { forward_fused<decltype(storage)>(kept, out); });
  };
  const auto on_gpu = [&] {
    kept.new_memory = new_memory;
    forward_in_blocks(kept, gpu_block(nodes, width, options), new_memory, out, precision);
  };
  dispatch(out, on_cpu, on_gpu);
  return out;
}

GatedMemoryGradients run_backward(const Kept& kept, bool with_bias, const at::Tensor& given_grad_out,
                                  const at::Tensor& given_grad_memory, Precision precision) {
  const auto options = kept.x.options().dtype(kept.x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
  const auto like = [&](const at::Tensor& x) { return x.defined() ? at::empty(x.sizes(), options) : x; };
  GatedMemoryGradients grad{like(kept.x), like(kept.mu), like(kept.w), {}, like(kept.memory)};
  if (with_bias) grad.bias = at::empty({kept.w.size(1)}, options);
  const at::Tensor grad_out = given(given_grad_out), grad_new_memory = given(given_grad_memory);
  const auto on_cpu = [&] {
    const at::Tensor grad_or_zeros = grad_out.defined() ? grad_out : at::zeros_like(kept.new_memory);
    if (!matmul_is_ours(kept.x)) {
      return backward_in_blocks(kept, at::empty_like(kept.gates), grad_or_zeros, grad_new_memory, grad, precision);
    }
    with_storage_of(kept.x, [&](auto storage) {
      backward_fused<decltype(storage)>(kept, grad_or_zeros, grad_new_memory, grad);
    });
  };
  const auto on_gpu = [&] {
    backward_in_blocks(kept, gpu_block(kept.x.size(0), kept.x.size(1), options), grad_out, grad_new_memory, grad,
                       precision);
  };
  dispatch(kept.x, on_cpu, on_gpu);
  return grad;
}

struct GatedMemory : OnceDifferentiable<GatedMemory> {
  static constexpr const char* kName = "gated_memory";

  static tensor_list forward(AutogradContext* context, const at::Tensor& x, const c10::optional<at::Tensor>& given_mu,
                             const at::Tensor& w, const c10::optional<at::Tensor>& given_bias,
                             const c10::optional<at::Tensor>& given_memory, Precision precision) {
    const at::Tensor mu = given_mu.has_value() ? as_operand(*given_mu, precision) : at::Tensor();
    Kept kept{as_operand(x, precision), mu, as_operand(w, precision), given_bias.value_or(at::Tensor()),
              given_memory.value_or(at::Tensor()), {}, {}};
    at::Tensor out = run_forward(kept, is_narrow(x) ? Gates::kRecomputed : Gates::kKept, x.options(), precision);
    at::Tensor new_memory = kept.new_memory;
    if (x.is_cuda()) kept.new_memory.reset();  // which its backward pass does not read
    context->saved_data["bias"] = kept.bias.defined();
    if (kept.gates.defined()) kept.bias.reset();
    context->save_for_backward({kept.x, kept.mu, kept.w, kept.bias, kept.memory, kept.gates, kept.new_memory});
    keep(*context, precision);
    context->set_materialize_grads(false);  // nothing reads the last layer's memory
    return {out, new_memory};
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const GatedMemoryGradients grad =
        run_backward({saved[0], saved[1], saved[2], saved[3], saved[4], saved[5], saved[6]},
                     context->saved_data["bias"].toBool(), grad_outputs[0], grad_outputs[1], kept_precision(*context));
    return {grad.x, grad.mu, grad.w, grad.bias, grad.memory, {}};
  }
};

void check(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w, const at::Tensor& bias,
           const at::Tensor& memory, Operand operand = Operand::kGiven) {
  constexpr const char* kGates = "gated_memory";
  check_matrix(kGates, "x", x, -1, -1, x, operand);
  if (mu.defined()) check_matrix(kGates, "mu", mu, x.size(0), x.size(1), x, operand);
  check_matrix(kGates, "w", w, x.size(1) * (mu.defined() ? 2 : 1), 4 * x.size(1), x, operand);
  if (bias.defined()) check_vector(kGates, "bias", bias, 4 * x.size(1), x);
  if (memory.defined()) check_matrix(kGates, "memory", memory, x.size(0), x.size(1), x);
}

using OptionalTensor = c10::optional<at::Tensor>;

// Checked operands of a registered call.
Kept operands(const at::Tensor& x, const OptionalTensor& mu, const at::Tensor& w, const OptionalTensor& bias,
              const OptionalTensor& memory, Precision precision) {
  Kept kept{x.contiguous(), given(mu), w.contiguous(), given(bias), given(memory), {}, {}};
  check(kept.x, kept.mu, kept.w, kept.bias, kept.memory, Operand::kConverted);
  kept.x = as_operand(kept.x, precision), kept.w = as_operand(kept.w, precision);
  if (kept.mu.defined()) kept.mu = as_operand(kept.mu, precision);
  return kept;
}

// The gradient of a result; one of zeros is given as [0].
at::Tensor gradient_or_none(at::TensorList grads, size_t result, const at::Tensor& x) {
  const bool is_none = result < grads.size() && grads[result].dim() == 1 && grads[result].numel() == 0;
  return is_none ? at::Tensor() : gradient_of("gated_memory", grads, result, x.sizes(), x);
}

// Gradients of the arguments that were given.
TensorVector of_given(const GatedMemoryGradients& grad, const Kept& kept) {
  TensorVector listed{grad.x};
  if (kept.mu.defined()) listed.push_back(grad.mu);
  listed.push_back(grad.w);
  if (kept.bias.defined()) listed.push_back(grad.bias);
  if (kept.memory.defined()) listed.push_back(grad.memory);
  return listed;
}

}  // namespace

std::tuple<at::Tensor, at::Tensor> gated_memory(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w,
                                                const at::Tensor& bias, const at::Tensor& memory, Precision precision) {
  check(x, mu, w, bias, memory);
  const tensor_list result =
      GatedMemory::apply(x.contiguous(), optional(mu), w.contiguous(), optional(bias), optional(memory), precision);
  return {result[0], result[1]};
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto forward = [](const at::Tensor& x, const OptionalTensor& mu, const at::Tensor& w,
                          const OptionalTensor& bias, const OptionalTensor& memory, c10::string_view precision_name) {
    const Precision precision = precision_named(precision_name);
    Kept kept = operands(x, mu, w, bias, memory, precision);
    const auto options = x.options().dtype(computed_type(x));
    const at::Tensor out = run_forward(kept, Gates::kKept, options, precision);
    return std::make_tuple(out, kept.new_memory, kept.gates.defined() ? kept.gates : at::empty({0}, options));
  };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted, const at::Tensor& x,
                           const OptionalTensor& mu, const at::Tensor& w, const OptionalTensor& bias,
                           const OptionalTensor& memory, c10::string_view precision_name) {
    const Precision precision = precision_named(precision_name);
    Kept kept = operands(x, mu, w, bias, memory, precision);
    const int64_t rows = x.size(0), width = x.size(1);
    const at::ScalarType type = computed_type(x);
    kept.new_memory = forward_result("gated_memory", results, 1, {rows, width}, type, x);
    if (!x.is_cuda()) kept.gates = forward_result("gated_memory", results, 2, {rows, 4 * width}, type, x);
    const GatedMemoryGradients grad = run_backward(kept, kept.bias.defined(), gradient_or_none(grads, 0, x),
                                                   gradient_or_none(grads, 1, x), precision);
    return wanted_gradients("gated_memory", wanted, of_given(grad, kept));
  };
  define(library,
         {"gated_memory", "Tensor x, Tensor? mu, Tensor w, Tensor? bias=None, Tensor? memory=None, str precision='f32'",
          "(Tensor, Tensor)", "(Tensor, Tensor, Tensor)"},
         forward, backward);
}

}  // namespace geniepath::ops
