#include "training/batch_loader.h"

#include <ATen/Parallel.h>

#include "geniepath/tensor_memory.h"
#include "kernels/cpu/one_thread_here.h"

namespace geniepath::training {

BatchLoader::BatchLoader(BatchSource& source, int64_t epoch)
    : thread_([this, &source, epoch] { load(source, epoch); }) {}

BatchLoader::~BatchLoader() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Batch BatchLoader::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty() || failure_; });
  if (ready_.empty()) std::rethrow_exception(failure_);
  Batch batch = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return batch;
}

void BatchLoader::load(BatchSource& source, int64_t epoch) {
  claim_heap();
  at::get_num_threads();  // LibTorch sets a new thread's number at its first use
  const kernels::cpu::OneThreadHere one_thread;  // the others are the trainer's
  try {
    for (int64_t step = 0; step < source.steps_per_epoch() && put(source.make(epoch, step)); ++step) {
    }
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

bool BatchLoader::put(Batch batch) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return std::ssize(ready_) < kReady || stop_; });
  if (stop_) return false;
  ready_.push_back(std::move(batch));
  changed_.notify_all();
  return true;
}

}  // namespace geniepath::training
