// The passes of kernels/elementwise.h on the GPU.
#pragma once

#include "kernels/cuda/stream.h"
#include "kernels/elementwise.h"

namespace geniepath::kernels::cuda {

using ToBf16 = OnStream<kernels::ToBf16>;
using TanhForward = OnStream<kernels::TanhForward>;
using TanhBackward = OnStream<kernels::TanhBackward>;

void run(const ToBf16& op);
void run(const TanhForward& op);
void run(const TanhBackward& op);

}  // namespace geniepath::kernels::cuda
