// Sparse times dense (kernels/spmm.h) on the CPU. value is by position. Visits the rows from `first` on.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/rows.h"
#include "kernels/spmm.h"

namespace geniepath::kernels::cpu {

using Spmm = OnThreads<kernels::Spmm<Rows>>;

void run(const Spmm& op);

}  // namespace geniepath::kernels::cpu
