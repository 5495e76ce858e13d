// Dense products C = A B or C += A B on only the calling thread, row-major, f32 or bf16 operands, f32 sums and result.
// Through oneDNN or, for bf16, our own tiles. product.h distributes them over threads.
#pragma once

#include <cstdint>

#include "kernels/bf16.h"

namespace geniepath::kernels::cpu {

// rows x columns of the operand; `transposed`: stored as columns x rows. `stride`: elements between stored rows.
template <class S>
struct MatrixView {
  const S* data;
  int64_t rows, columns, stride;
  bool transposed = false;

  MatrixView part(int64_t row, int64_t num_rows, int64_t column, int64_t num_columns) const {
    const int64_t offset = transposed ? column * stride + row : row * stride + column;
    return {data + offset, num_rows, num_columns, stride, transposed};
  }
};

// float: whether oneDNN is built in; otherwise callers use their framework's product. Bf16: whether this machine has a
// product faster than that of f32; otherwise callers keep their operands in f32.
template <class S>
bool has_matmul();
void matmul(const MatrixView<float>& a, const MatrixView<float>& b, float* c, int64_t c_stride, bool accumulate);
void matmul(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride, bool accumulate);

}  // namespace geniepath::kernels::cpu
