// Makes the batches of an epoch on a thread of its own, a few steps ahead of the trainer.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "training/batch_source.h"

namespace geniepath::training {

class BatchLoader {
 public:
  static constexpr int64_t kReady = 2, kMostAhead = kReady + 1;  // one more is in the making

  // `source` is used by the loader alone until it is destroyed.
  BatchLoader(BatchSource& source, int64_t epoch);
  ~BatchLoader();
  BatchLoader(const BatchLoader&) = delete;
  BatchLoader& operator=(const BatchLoader&) = delete;

  // The batch of the next step. Waits for it, and throws what its making threw. Call it once per step.
  Batch next();

 private:
  void load(BatchSource& source, int64_t epoch);
  bool put(Batch batch);  // false: stop

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ready_;
  std::exception_ptr failure_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace geniepath::training
