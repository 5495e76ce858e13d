// Shared parts of autograd functions: LibTorch's names, first derivatives only, optional tensors, and the precision
// saved for backward.
#pragma once

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include "geniepath/ops.h"

namespace geniepath::ops {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Replaces every gradient by one whose own derivative is an error in words.
inline tensor_list without_derivative(const char* op, const tensor_list& gradients) {
  tensor_list marked;
  for (const at::Tensor& x : gradients) marked.push_back(x.defined() ? x.detach().requires_grad_() : x);
  const auto refusal = std::make_shared<torch::autograd::DelayedError>(
      std::string(op) + ": has no second derivative, but its gradient was differentiated (create_graph)",
      static_cast<int>(marked.size()));
  return (*refusal)(std::move(marked));
}

// An autograd function with forward(), gradients() in place of backward(), and kName. Gradients come from kernels,
// which autograd cannot follow, so they cannot be differentiated again.
template <class T>
struct OnceDifferentiable : torch::autograd::Function<T> {
  static tensor_list backward(AutogradContext* context, const tensor_list& grad_outputs) {
    const bool again = at::GradMode::is_enabled();
    const at::NoGradGuard no_grad;
    const tensor_list gradients = T::gradients(context, grad_outputs);
    if (!again) return gradients;
    const at::AutoGradMode grad_mode(true);
    return without_derivative(T::kName, gradients);
  }
};

// A tensor that may be undefined as an argument of an autograd function; made contiguous.
inline c10::optional<at::Tensor> optional(const at::Tensor& x) {
  return x.defined() ? c10::make_optional(x.contiguous()) : c10::nullopt;
}

inline void keep(AutogradContext& context, Precision precision) {
  context.saved_data["precision"] = static_cast<int64_t>(precision);
}

inline Precision kept_precision(AutogradContext& context) {
  return static_cast<Precision>(context.saved_data["precision"].toInt());
}

}  // namespace geniepath::ops
