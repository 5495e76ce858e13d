// Runs independent tasks on LibTorch's number of threads. Which thread runs a task is not fixed, so a task's result
// must depend on its number alone. Exceptions of tasks reach the caller after all have ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace geniepath {

void in_parallel(int64_t tasks, const std::function<void(int64_t task)>& body);

// The same over ranges of a long array: body(begin, end) for pieces of at most `grain`.
void in_parallel(int64_t count, int64_t grain, const std::function<void(int64_t begin, int64_t end)>& body);

// The first of 0 .. count-1 for which found(i) is true; `count` if there is none.
template <class Found>
int64_t first_in_parallel(int64_t count, int64_t grain, const Found& found) {
  std::atomic<int64_t> first = count;
  in_parallel(count, grain, [&](int64_t begin, int64_t end) {
    int64_t i = begin;
    while (i < end && !found(i)) ++i;
    int64_t known = first;
    while (i < end && i < known && !first.compare_exchange_weak(known, i)) {
    }
  });
  return first;
}

template <class Found>
int64_t first_in_parallel(int64_t count, const Found& found) {
  constexpr int64_t kGrain = int64_t{1} << 14;
  return first_in_parallel(count, kGrain, found);
}

}  // namespace geniepath
