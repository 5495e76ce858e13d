// Threads that process requests first come, first served. One per core: more would only take turns, and the slowest
// answers under load would take several times as long.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace geniepath::serve {

class Workers {
 public:
  explicit Workers(int64_t count);  // an Error if the system refuses this many threads
  ~Workers();  // waits for all tasks
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int64_t waiting() const;  // tasks not yet started

  // Queues a task, which must not throw.
  void add(std::function<void()> task);

 private:
  void work();
  void end();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool done_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace geniepath::serve
