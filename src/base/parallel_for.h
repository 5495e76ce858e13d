// Runs independent tasks on a given number of threads. A task's thread is not fixed, its result is. Exceptions of tasks
// reach the caller after all have ended.
#pragma once

#include <cstdint>
#include <exception>

namespace geniepath {

template <class Body>
void parallel_for(int threads, int64_t count, const Body& body) {
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1 && count > 1)
  for (int64_t task = 0; task < count; ++task) {
    try {
      body(task);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// The same over ranges of a long array: body(begin, end) for pieces of at most `grain`.
template <class Body>
void parallel_ranges(int threads, int64_t count, int64_t grain, const Body& body) {
  parallel_for(threads, (count + grain - 1) / grain, [&](int64_t piece) {
    const int64_t begin = piece * grain;
    body(begin, begin + grain < count ? begin + grain : count);
  });
}

}  // namespace geniepath
