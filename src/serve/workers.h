// Threads that take requests first come, first served. There are as many as cores: more would only take turns, and the
// longest answers of a crowd would be several times as long.
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
  explicit Workers(int64_t count);  // an Error where the system does not give so many threads
  ~Workers();  // after what was asked for is done
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int64_t waiting() const;  // asked for and not begun

  // Called by a worker once one is free; it must not throw.
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
