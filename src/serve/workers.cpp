#include "serve/workers.h"

#include <latch>
#include <memory>
#include <system_error>

#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"

namespace geniepath::serve {

Workers::Workers(int64_t count) {
  const auto begun = std::make_shared<std::latch>(count);
  try {
    for (int64_t n = 0; n < count; ++n) {
      threads_.emplace_back([this, begun] {
        claim_heap();
        begun->count_down();
        work();
      });
    }
  } catch (const std::system_error& error) {
    end();  // those already started would wait for work forever
    fail("cannot start ", count, " threads: ", error.code().message(),
         "; raise the limit (ulimit -u, or the container's)");
  }
  begun->wait();  // so that they get the malloc arenas before later threads
}

Workers::~Workers() { end(); }

void Workers::end() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
}

int64_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(waiting_);
}

void Workers::add(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
}

void Workers::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return done_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::function<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace geniepath::serve
