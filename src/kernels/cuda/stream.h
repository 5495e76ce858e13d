// A CUDA stream, without CUDA's headers.
#pragma once

namespace geniepath::kernels::cuda {

struct Stream {
  void* handle = nullptr;  // a cudaStream_t; null: the default stream
};

}  // namespace geniepath::kernels::cuda
