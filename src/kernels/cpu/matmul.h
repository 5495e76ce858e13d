// Dense products C = A B or C += A B, row-major, f32 or bf16 operands, f32 sums and result. Through oneDNN; where that
// is not installed, has_matmul() is false and callers take their framework's product.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace geniepath::kernels::cpu {

// rows x columns as the product sees it; `transposed`: stored as columns x rows. `stride`: elements from one stored row
// to the next.
template <class S>
struct MatrixView {
  const S* data;
  int64_t rows, columns, stride;
  bool transposed = false;
};

bool has_matmul();
void matmul(const MatrixView<float>& a, const MatrixView<float>& b, float* c, int64_t c_stride, bool accumulate);
void matmul(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride, bool accumulate);

}  // namespace geniepath::kernels::cpu
