// Keys of random masks as kernels take them, and as autograd keeps them for the backward pass.
#pragma once

#include <torch/csrc/autograd/custom_function.h>

#include "geniepath/ops.h"
#include "kernels/cuda/mask_key.h"

namespace geniepath::ops {

// The key must lie on the GPU.
inline kernels::cuda::DeviceMaskKey on_gpu(const MaskKey& key) {
  return {reinterpret_cast<const uint64_t*>(key.base.data_ptr<int64_t>()), key.uses};
}

inline void keep(torch::autograd::AutogradContext& context, const MaskKey& key) {
  context.saved_data["mask_key"] = key.base;
  context.saved_data["mask_uses"] = key.uses;
}

inline MaskKey kept_key(torch::autograd::AutogradContext& context) {
  return {context.saved_data["mask_key"].toTensor(), context.saved_data["mask_uses"].toInt()};
}

}  // namespace geniepath::ops
