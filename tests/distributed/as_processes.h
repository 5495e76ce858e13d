// Threads of a test as the processes of one group.
#pragma once

#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "distributed/world.h"

namespace geniepath::testing {

inline bool has_gloo() {
  try {
    distributed::make_meeting_point();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Skips the test in a build without Gloo.
#define REQUIRE_GLOO() \
  if (!geniepath::testing::has_gloo()) GTEST_SKIP() << "built without Gloo"

inline distributed::Place place_at(int64_t rank, int64_t size, uint16_t port) {
  return {rank, size, size, rank, "127.0.0.1", port, true, ""};
}

// Runs `work` as each of `count` processes, and throws what the first of them threw.
inline void as_processes(int64_t count, const std::function<void(distributed::Group&)>& work) {
  const auto point = distributed::make_meeting_point();
  std::vector<std::exception_ptr> thrown(static_cast<size_t>(count));
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto world = distributed::join(place_at(rank, count, point->port()), std::chrono::seconds(60));
        const auto group = world->make_group();
        work(*group);
        group->sum(0.0);
      } catch (...) {
        thrown[static_cast<size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& problem : thrown) {
    if (problem) std::rethrow_exception(problem);
  }
}

}  // namespace geniepath::testing
