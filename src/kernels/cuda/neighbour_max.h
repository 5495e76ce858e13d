// Elementwise maximum over neighbours on the GPU; as kernels/cpu/neighbour_max.h.
#pragma once

#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"

namespace geniepath::kernels::cuda {

// Overwrites out and choice. scratch: [pieces, K], choice_scratch: the same.
struct NeighbourMaxForward {
  DeviceRows incoming;
  bool skip_self;
  int64_t width;
  const float* x;
  float* out;
  int32_t* choice;
  float* scratch;
  int32_t* choice_scratch;
  Stream stream;
};

// Overwrites grad_x. incoming_offset is of the same type as outgoing's offsets. scratch: [pieces, K].
struct NeighbourMaxBackward {
  DeviceRows outgoing;
  const void* incoming_offset;
  int64_t width;
  const int32_t* choice;
  const float* grad_out;
  float* grad_x;
  float* scratch;
  Stream stream;
};

void run(const NeighbourMaxForward& op);
void run(const NeighbourMaxBackward& op);

}  // namespace geniepath::kernels::cuda
