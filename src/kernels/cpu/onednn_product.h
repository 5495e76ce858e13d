// C = A B or C += A B on one thread by oneDNN, f32 or bf16 operands, f32 sums.
#pragma once

#include "kernels/cpu/matmul.h"

namespace geniepath::kernels::cpu {

bool has_onednn();

// Keeps the code of fewer products for reuse. oneDNN reserves 256 KiB and more for each, little of it touched, and a
// product whose memory is refused (ulimit -d) ends the process. For processes with a memory limit.
void keep_few_onednn_products();

// No dimension is 0. S: float or Bf16.
template <class S>
void onednn_product(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate);

}  // namespace geniepath::kernels::cpu
