// Dropout on the entries of a sparse matrix on the GPU, with the mask of kernels/cpu/sparse_dropout.h.
#pragma once

#include "kernels/cuda/mask_key.h"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// out[at] = value[at] / (1 - rate) or 0. Where `transposed`, rows are the dense matrix's columns.
struct SparseDropout {
  DeviceRows rows;
  bool transposed;
  int64_t columns;  // of the dense matrix
  DeviceMaskKey key;
  double rate;
  const float* value;
  float* out;
  Stream stream;
};

void run(const SparseDropout& op);

}  // namespace geniepath::kernels::cuda
