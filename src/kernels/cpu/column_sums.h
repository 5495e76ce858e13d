// sums[k] = sum_r x[r, k], eight rows at a time in f32, these in f64.   x: [rows, width]   sums: [width]
// One task per block of rows of fixed length; block sums are added in order, so the bits do not depend on threads.
#pragma once

#include <cstdint>

namespace geniepath::kernels::cpu {

struct ColumnSums {
  int64_t rows, width;
  const float* x;
  float* sums;
  int threads;
};

void run(const ColumnSums& op);

}  // namespace geniepath::kernels::cpu
