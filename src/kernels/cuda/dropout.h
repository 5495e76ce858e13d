// Dropout (kernels/dropout.h) on the GPU.
#pragma once

#include "kernels/cuda/mask_key.h"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"
#include "kernels/dropout.h"

namespace geniepath::kernels::cuda {

using Dropout = OnStream<kernels::Dropout<DeviceMaskKey>>;
using SparseDropout = OnStream<kernels::SparseDropout<DeviceRows, DeviceMaskKey>>;

void run(const Dropout& op);
void run(const SparseDropout& op);

}  // namespace geniepath::kernels::cuda
