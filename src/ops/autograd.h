// Shared parts of autograd functions: LibTorch's names, optional tensors, and the precision saved for backward.
#pragma once

#include <torch/csrc/autograd/custom_function.h>

#include "geniepath/ops.h"

namespace geniepath::ops {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

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
