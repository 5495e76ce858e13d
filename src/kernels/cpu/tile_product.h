// C = A B or C += A B on one thread, bf16 operands, f32 sums, by the matrix tiles of x86-64 (AMX).
#pragma once

#include "kernels/cpu/matmul.h"

namespace geniepath::kernels::cpu {

// Only where this_bf16_product() is kTiles. No dimension is 0.
void tile_product(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride, bool accumulate);

// Compares a small product with its known result. Dies where tiles cannot be used.
bool tile_product_is_right();

}  // namespace geniepath::kernels::cpu
