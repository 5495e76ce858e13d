// Passes over whole arrays, four values per thread where alignment allows, else one.
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/vectors.cuh"

namespace geniepath::kernels::cuda {

__device__ inline int64_t first_of_thread(int wide) {
  return (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * wide;
}

template <int kWide>
__device__ void load_some(const float* from, float (&to)[kWide]) {
  if constexpr (kWide == 4) {
    load_four(from, to);
  } else {
    to[0] = *from;
  }
}

template <int kWide, class S>
__device__ void store_some(S* to, const float (&from)[kWide]) {
  if constexpr (kWide == 4) {
    store_four(to, from);
  } else {
    store_one(to, from[0]);
  }
}

// by_four processes four values per thread, by_one one.
template <class Op>
void launch_elementwise(const char* name, void (*by_four)(Op), void (*by_one)(Op), bool fours, int64_t count,
                        const Op& op) {
  launch(name, fours ? by_four : by_one, blocks_for(count, (fours ? 4 : 1) * kThreads), kThreads, op.stream, op);
}

}  // namespace geniepath::kernels::cuda
