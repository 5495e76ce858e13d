#include "base/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <exception>

namespace geniepath {

void in_parallel(int64_t tasks, const std::function<void(int64_t)>& body) {
  const int threads = static_cast<int>(std::min<int64_t>(at::get_num_threads(), tasks));
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
  for (int64_t task = 0; task < tasks; ++task) {
    try {
      body(task);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void in_parallel(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  in_parallel((count + grain - 1) / grain,
              [&](int64_t piece) { body(piece * grain, std::min((piece + 1) * grain, count)); });
}

}  // namespace geniepath
