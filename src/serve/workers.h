// Threads that take requests first come, first served. There are as many as cores: more would only take turns, and the
// longest answers of a crowd would be several times as long.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace geniepath::serve {

class Workers {
 public:
  explicit Workers(int64_t count);
  ~Workers();  // after what was asked for is done
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int64_t waiting() const;  // asked for and not begun

  // What f() returns or throws, once a worker is free and has called it.
  template <class F>
  auto run(F f) -> decltype(f()) {
    auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
    auto result = task->get_future();
    add([task = std::move(task)] { (*task)(); });  // the worker's own: it is not done with it when the result is there
    return result.get();
  }

 private:
  void add(std::function<void()> task);
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool done_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace geniepath::serve
