// Dense products cut into pieces by their shape alone, one thread per piece. A library that cuts by the number of threads
// adds in another order for each; here the bits are the same for any number.
#pragma once

#include "kernels/cpu/matmul.h"

namespace geniepath::kernels::cpu {

// c = a b, or c += a b where `accumulate`; c is row-major with `c_stride` elements from row to row. Needs has_matmul<S>().
template <class S>
struct Product {
  MatrixView<S> a, b;
  float* c;
  int64_t c_stride;
  bool accumulate;
  int threads;
};

void run(const Product<float>& op);
void run(const Product<Bf16>& op);

}  // namespace geniepath::kernels::cpu
