// The key of a random mask where the GPU reads it: *base, taken `uses` steps on (kernels/dropout.h). Reading it on the
// device lets a step recorded as a CUDA graph be replayed with another key.
#pragma once

#include <cstdint>

namespace geniepath::kernels::cuda {

struct DeviceMaskKey {
  const uint64_t* base = nullptr;
  int64_t uses = 0;
};

}  // namespace geniepath::kernels::cuda
