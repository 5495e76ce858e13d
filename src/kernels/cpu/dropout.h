// Dropout (kernels/dropout.h) on the CPU.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/dropout.h"
#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

using Dropout = OnThreads<kernels::Dropout<uint64_t>>;
using SparseDropout = OnThreads<kernels::SparseDropout<Rows, uint64_t>>;

void run(const Dropout& op);
void run(const SparseDropout& op);

}  // namespace geniepath::kernels::cpu
