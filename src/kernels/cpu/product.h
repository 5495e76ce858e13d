// Dense products divided into pieces by shape alone, one thread per piece: the bits are the same for any number of
// threads, unlike those of libraries that divide by threads.
#pragma once

#include "kernels/cpu/matmul.h"

namespace geniepath::kernels::cpu {

// c = a b, or c += a b if `accumulate`; c is row-major with `c_stride` elements per row. Needs has_matmul<S>().
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
