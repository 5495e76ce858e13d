#include <ATen/ATen.h>

#include "geniepath/ops.h"
#include "ops/activation.h"
#include "ops/add_bias.h"
#include "ops/autograd.h"
#include "ops/checks.h"
#include "ops/matmul.h"
#include "ops/registered.h"

namespace geniepath::ops {
namespace {

// activation(x w + bias), of operands; y has the given dtype.
at::Tensor product(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, Activation activation,
                   Precision precision, at::ScalarType type) {
  at::Tensor y = at::empty({x.size(0), w.size(1)}, x.options().dtype(type));
  matmul_into(y, x, Transpose::kNo, w, Transpose::kNo, precision);
  if (activation == Activation::kTanh) {
    tanh_in_place(y, bias);
  } else if (bias.defined()) {
    y.add_(bias);
  }
  return y;
}

struct LinearGradients {
  at::Tensor x, w, bias;
};

// `y`: the result where it was squashed, else undefined.
LinearGradients linear_gradients(const at::Tensor& x, const at::Tensor& w, const at::Tensor& y,
                                 const at::Tensor& grad_out, bool with_x, bool with_bias, Precision precision) {
  at::Tensor grad_y = grad_out.contiguous();
  if (y.defined()) grad_y = tanh_gradient(y, grad_y);
  const at::Tensor operand = as_operand(grad_y, precision);
  LinearGradients grad{{}, at::empty({w.size(0), w.size(1)}, grad_y.options()), {}};
  if (with_x) {
    grad.x = at::empty({x.size(0), x.size(1)}, grad_y.options());
    matmul_into(grad.x, operand, Transpose::kNo, w, Transpose::kYes, precision);
  }
  matmul_into(grad.w, x, Transpose::kYes, operand, Transpose::kNo, precision);
  if (with_bias) grad.bias = sum_of_rows(grad_y);
  return grad;
}

struct Linear : OnceDifferentiable<Linear> {
  static constexpr const char* kName = "linear";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w,
                            const c10::optional<at::Tensor>& given_bias, Activation activation, Precision precision) {
    const at::Tensor bias = given_bias.value_or(at::Tensor());
    const at::Tensor x_operand = as_operand(x, precision), w_operand = as_operand(w, precision);
    const at::Tensor y = product(x_operand, w_operand, bias, activation, precision, x.scalar_type());
    context->save_for_backward({x_operand, w_operand, activation == Activation::kTanh ? y : at::Tensor()});
    keep(*context, precision);
    context->saved_data["bias"] = bias.defined();
    return y;
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const LinearGradients grad =
        linear_gradients(saved[0], saved[1], saved[2], grad_outputs[0], context->needs_input_grad(0),
                         context->saved_data["bias"].toBool(), kept_precision(*context));
    return {grad.x, grad.w, grad.bias, {}, {}};
  }
};

void check_linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, Operand operand = Operand::kGiven) {
  check_matrix("linear", "x", x, -1, -1, x, operand);
  check_matrix("linear", "w", w, x.size(1), -1, x, operand);
  if (bias.defined()) check_vector("linear", "bias", bias, w.size(1), x);
}

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias, Activation activation,
                  Precision precision) {
  check_linear(x, w, bias);
  return Linear::apply(x.contiguous(), w.contiguous(), optional(bias), activation, precision);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto forward = [](const at::Tensor& x, const at::Tensor& w, const c10::optional<at::Tensor>& bias, bool tanh,
                          c10::string_view precision_name) {
    const Precision precision = precision_named(precision_name);
    const at::Tensor b = given(bias);
    check_linear(x, w, b, Operand::kConverted);
    return product(as_operand(x.contiguous(), precision), as_operand(w.contiguous(), precision), b,
                   tanh ? Activation::kTanh : Activation::kNone, precision, computed_type(x));
  };
  const auto backward = [](at::TensorList grads, at::TensorList results, const Wanted& wanted, const at::Tensor& x,
                           const at::Tensor& w, const c10::optional<at::Tensor>& bias, bool tanh,
                           c10::string_view precision_name) {
    const Precision precision = precision_named(precision_name);
    check_linear(x, w, given(bias), Operand::kConverted);
    const int64_t sizes[] = {x.size(0), w.size(1)};
    const at::Tensor y = tanh ? forward_result("linear", results, 0, sizes, computed_type(x), x) : at::Tensor();
    const LinearGradients grad = linear_gradients(
        as_operand(x.contiguous(), precision), as_operand(w.contiguous(), precision), y,
        gradient_of("linear", grads, 0, sizes, x), !wanted.empty() && wanted[0], bias.has_value(), precision);
    return wanted_gradients("linear", wanted, {grad.x, grad.w, grad.bias});
  };
  define(library, {"linear", "Tensor x, Tensor w, Tensor? bias=None, bool tanh=False, str precision='f32'"}, forward,
         backward);
}

}  // namespace geniepath::ops
