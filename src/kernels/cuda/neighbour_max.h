// Elementwise maximum over neighbours (kernels/neighbour_max.h) on the GPU.
#pragma once

#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"
#include "kernels/neighbour_max.h"

namespace geniepath::kernels::cuda {

// scratch: [pieces, K], choice_scratch: the same.
struct NeighbourMaxForward : kernels::NeighbourMaxForward<DeviceRows> {
  float* scratch;
  int32_t* choice_scratch;
  Stream stream;
};

// incoming_offset is of the same type as outgoing's offsets. scratch: [pieces, K].
struct NeighbourMaxBackward : kernels::NeighbourMaxBackward<DeviceRows, void> {
  float* scratch;
  Stream stream;
};

void run(const NeighbourMaxForward& op);
void run(const NeighbourMaxBackward& op);

}  // namespace geniepath::kernels::cuda
