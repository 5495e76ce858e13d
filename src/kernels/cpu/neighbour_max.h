// Elementwise maximum over neighbours (kernels/neighbour_max.h) on the CPU. Both passes visit the rows from `first` on.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/neighbour_max.h"
#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

using NeighbourMaxForward = OnThreads<kernels::NeighbourMaxForward<Rows>>;
using NeighbourMaxBackward = OnThreads<kernels::NeighbourMaxBackward<Rows, int64_t>>;

void run(const NeighbourMaxForward& op);
void run(const NeighbourMaxBackward& op);

}  // namespace geniepath::kernels::cpu
