// While it lives, a library called from this thread takes no other thread, and so adds in the same order for any number.
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
