// For its lifetime, libraries called from this thread use no other, so that their order of summation is fixed.
#pragma once

#include <omp.h>

namespace geniepath::kernels::cpu {

class OneThreadHere {
 public:
  OneThreadHere() : threads_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThreadHere() { omp_set_num_threads(threads_); }
  OneThreadHere(const OneThreadHere&) = delete;
  OneThreadHere& operator=(const OneThreadHere&) = delete;

 private:
  int threads_;
};

}  // namespace geniepath::kernels::cpu
