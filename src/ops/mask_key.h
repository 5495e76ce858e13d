// Keys of random masks: as arguments of kernels, and saved by autograd for the backward pass.
#pragma once

#include "geniepath/ops.h"
#include "kernels/cuda/mask_key.h"
#include "ops/autograd.h"

namespace geniepath::ops {

// The key must be on the GPU.
inline kernels::cuda::DeviceMaskKey gpu_key(const MaskKey& key) {
  return {reinterpret_cast<const uint64_t*>(key.base.data_ptr<int64_t>()), key.uses};
}

inline void keep(AutogradContext& context, const MaskKey& key) {
  context.saved_data["mask_key"] = key.base;
  context.saved_data["mask_uses"] = key.uses;
}

inline MaskKey kept_key(AutogradContext& context) {
  return {context.saved_data["mask_key"].toTensor(), context.saved_data["mask_uses"].toInt()};
}

}  // namespace geniepath::ops
