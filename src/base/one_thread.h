// Limits LibTorch to one thread for the lifetime of the object: many short steps gain nothing from a second thread, and
// on a busy machine threads that wait for each other make them twenty times slower.
#pragma once

#include <ATen/Parallel.h>

namespace geniepath {

class OneThread {
 public:
  OneThread() : threads_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(threads_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int threads_;
};

}  // namespace geniepath
