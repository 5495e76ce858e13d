// Key of a random mask in device memory: *base advanced by `uses` steps (kernels/dropout.h). Because the device reads
// it, a step recorded as a CUDA graph can be replayed with another key.
#pragma once

#include <cstdint>

namespace geniepath::kernels::cuda {

struct DeviceMaskKey {
  const uint64_t* base = nullptr;
  int64_t uses = 0;
};

}  // namespace geniepath::kernels::cuda
