// A CUDA stream, without CUDA's headers.
#pragma once

namespace geniepath::kernels::cuda {

struct Stream {
  void* handle = nullptr;  // a cudaStream_t; null: the default stream
};

// An operation on the GPU: its operands, all in device memory, and the stream to queue it on.
template <class Operands>
struct OnStream : Operands {
  Stream stream;
};

}  // namespace geniepath::kernels::cuda
