// Kernel launches: grid sizes, streams, and an Error if CUDA refuses.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <initializer_list>

#include "geniepath/error.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

constexpr int kThreads = 256;  // per block

inline cudaStream_t raw(Stream stream) { return static_cast<cudaStream_t>(stream.handle); }

constexpr int64_t blocks_for(int64_t items, int64_t per_block) { return (items + per_block - 1) / per_block; }

inline bool aligned_16(std::initializer_list<const void*> pointers) {
  for (const void* p : pointers) {
    if (reinterpret_cast<uintptr_t>(p) % 16 != 0) return false;
  }
  return true;
}

// Queues kernel(arguments...) on `blocks` blocks; does nothing for 0 blocks.
template <class... Parameters, class... Arguments>
void launch(const char* name, void (*kernel)(Parameters...), int64_t blocks, int threads, Stream stream,
            Arguments&&... arguments) {
  if (blocks == 0) return;
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, raw(stream)>>>(arguments...);
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) fail("cuda ", name, ": ", cudaGetErrorString(status));
}

}  // namespace geniepath::kernels::cuda
