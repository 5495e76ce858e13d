// Sigmoid cross-entropy (kernels/cross_entropy.h) on the CPU.
// One task per block of rows of fixed length, summed in order: the bits do not depend on threads.
#pragma once

#include "kernels/cpu/on_threads.h"
#include "kernels/cross_entropy.h"

namespace geniepath::kernels::cpu {

using SigmoidCrossEntropy = OnThreads<kernels::SigmoidCrossEntropy>;

void run(const SigmoidCrossEntropy& op);

}  // namespace geniepath::kernels::cpu
