// The passes of kernels/elementwise.h on the CPU.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/elementwise.h"

namespace geniepath::kernels::cpu {

using ToBf16 = OnThreads<kernels::ToBf16>;
using TanhForward = OnThreads<kernels::TanhForward>;
using TanhBackward = OnThreads<kernels::TanhBackward>;

void run(const ToBf16& op);
void run(const TanhForward& op);
void run(const TanhBackward& op);

}  // namespace geniepath::kernels::cpu
