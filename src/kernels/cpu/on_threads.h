// An operation on the CPU: its operands and the number of threads to use.
#pragma once

namespace geniepath::kernels::cpu {

template <class Operands>
struct OnThreads : Operands {
  int threads;
};

}  // namespace geniepath::kernels::cpu
