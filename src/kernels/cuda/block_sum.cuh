// Sum over a block's threads, in thread 0; the order is fixed.
#pragma once

#include "kernels/cuda/launch.cuh"

namespace geniepath::kernels::cuda {

__device__ inline double block_sum(double x) {
  __shared__ double sums[kThreads];
  sums[threadIdx.x] = x;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (static_cast<int>(threadIdx.x) < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  return sums[0];
}

}  // namespace geniepath::kernels::cuda
