#include "ops/activation.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/ops.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cuda/elementwise.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/registered.h"

namespace geniepath::ops {
namespace {

at::Tensor squashed(const at::Tensor& x) {
  check_matrix("tanh", "x", x, -1, -1, x);
  at::Tensor y = x.clone(at::MemoryFormat::Contiguous);
  tanh_in_place(y, {});
  return y;
}

struct Tanh : OnceDifferentiable<Tanh> {
  static constexpr const char* kName = "tanh";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    at::Tensor y = squashed(x);
    context->save_for_backward({y});
    return y;
  }
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    return {tanh_gradient(context->get_saved_variables()[0], grad_outputs[0].contiguous())};
  }
};

// exp(x) - 1 = 2 t / (1 - t) with t = tanh(x / 2), accurate near 0 too.
struct Elu : torch::autograd::Function<Elu> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    at::Tensor t = x.clamp_max(0).mul_(0.5).contiguous();
    tanh_in_place(t, {});
    at::Tensor y = at::where(x > 0, x, 2 * t / (1 - t));
    context->save_for_backward({y});
    return y;
  }
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    return {grad_outputs[0] * (context->get_saved_variables()[0].clamp_max(0) + 1)};
  }
};

}  // namespace

void tanh_in_place(at::Tensor& y, const at::Tensor& bias) {
  const auto reference = [&] {
    if (bias.defined()) y.add_(bias);
    y.tanh_();
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::TanhForward{y.size(0), y.size(1), pointer<float>(bias), y.data_ptr<float>(), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    cuda::run(cuda::TanhForward{y.size(0), y.size(1), pointer<float>(bias), y.data_ptr<float>(), current_stream()});
  };
  dispatch(y, reference, on_cpu, on_gpu);
}

at::Tensor tanh_gradient(const at::Tensor& y, const at::Tensor& grad_y) {
  const auto reference = [&] { return grad_y * (1 - y * y); };
  const auto on_cpu = [&] {
    at::Tensor grad_x = at::empty_like(y);
    cpu::run(cpu::TanhBackward{y.numel(), y.data_ptr<float>(), grad_y.data_ptr<float>(), grad_x.data_ptr<float>(),
                               at::get_num_threads()});
    return grad_x;
  };
  const auto on_gpu = [&] {
    at::Tensor grad_x = at::empty_like(y);
    cuda::run(cuda::TanhBackward{y.numel(), y.data_ptr<float>(), grad_y.data_ptr<float>(), grad_x.data_ptr<float>(),
                                 current_stream()});
    return grad_x;
  };
  return dispatch(y, reference, on_cpu, on_gpu);
}

at::Tensor tanh(const at::Tensor& x) { return Tanh::apply(x); }

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto forward = [](const at::Tensor& x) { return squashed(x); };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted, const at::Tensor& x) {
    check_matrix("tanh", "x", x, -1, -1, x);
    const at::Tensor y = forward_result("tanh", results, 0, x.sizes(), x.scalar_type(), x);
    return wanted_gradients("tanh", wanted, {tanh_gradient(y, gradient_of("tanh", grads, 0, x.sizes(), x))});
  };
  define(library, {"tanh", "Tensor x"}, forward, backward);
}

at::Tensor sigmoid(const at::Tensor& x) { return 0.5 * ops::tanh(0.5 * x) + 0.5; }
at::Tensor elu(const at::Tensor& x) { return Elu::apply(x); }

}  // namespace geniepath::ops
