// Sparse times dense (kernels/spmm.h) on the GPU; K up to kLargestWidth at a time. value is by edge id.
#pragma once

#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"
#include "kernels/spmm.h"

namespace geniepath::kernels::cuda {

struct Spmm : kernels::Spmm<DeviceRows> {
  float* scratch;  // [pieces, K]
  Stream stream;
};

void run(const Spmm& op);

}  // namespace geniepath::kernels::cuda
