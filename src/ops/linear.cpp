#include <ATen/ATen.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "ops/activation.h"
#include "ops/add_bias.h"
#include "ops/autograd.h"
#include "ops/checks.h"
#include "ops/matmul.h"

namespace geniepath::ops {
namespace {

struct Linear : OnceDifferentiable<Linear> {
  static constexpr const char* kName = "linear";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w,
                            const c10::optional<at::Tensor>& given_bias, Activation activation, Precision precision) {
    const at::Tensor bias = given_bias.value_or(at::Tensor());
    const at::Tensor x_operand = as_operand(x, precision), w_operand = as_operand(w, precision);
    at::Tensor y = at::empty({x.size(0), w.size(1)}, x.options());
    matmul_into(y, x_operand, Transpose::kNo, w_operand, Transpose::kNo, precision);
    const bool squash = activation == Activation::kTanh;
    if (squash) {
      tanh_in_place(y, bias);
    } else if (bias.defined()) {
      y.add_(bias);
    }
    context->save_for_backward({x_operand, w_operand, squash ? y : at::Tensor()});
    keep(*context, precision);
    context->saved_data["bias"] = bias.defined();
    return y;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &w = saved[1], &y = saved[2];
    at::Tensor grad_y = grad_outputs[0].contiguous();
    if (y.defined()) grad_y = tanh_gradient(y, grad_y);
    const Precision precision = kept_precision(*context);
    const at::Tensor operand = as_operand(grad_y, precision);
    at::Tensor grad_x, grad_bias, grad_w = at::empty({w.size(0), w.size(1)}, grad_y.options());
    if (context->needs_input_grad(0)) {
      grad_x = at::empty({x.size(0), x.size(1)}, grad_y.options());
      matmul_into(grad_x, operand, Transpose::kNo, w, Transpose::kYes, precision);
    }
    matmul_into(grad_w, x, Transpose::kYes, operand, Transpose::kNo, precision);
    if (context->saved_data["bias"].toBool()) grad_bias = sum_of_rows(grad_y);
    return {grad_x, grad_w, grad_bias, {}, {}};
  }
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, Activation activation,
                  Precision precision) {
  check_matrix("linear", "x", x, -1, -1, x);
  check_matrix("linear", "w", w, x.size(1), -1, x);
  if (bias.defined()) check_vector("linear", "bias", bias, w.size(1), x);
  return Linear::apply(x.contiguous(), w.contiguous(), optional(bias), activation, precision);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def("linear(Tensor x, Tensor w, Tensor? bias=None, bool tanh=False, str precision='f32') -> Tensor",
              [](const at::Tensor& x, const at::Tensor& w, const c10::optional<at::Tensor>& bias, bool tanh,
                 c10::string_view precision) {
                return linear(x, w, bias.value_or(at::Tensor()), tanh ? Activation::kTanh : Activation::kNone,
                              from_string<Precision>(std::string(precision), "precision"));
              });
}

}  // namespace geniepath::ops
