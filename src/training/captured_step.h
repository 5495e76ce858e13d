// Work that is queued on a GPU again and again, recorded once as a CUDA graph: one call replays all its kernels, so small
// graphs are not bound by the time it takes to launch them one by one.
//
// The first run() executes the work as it is, the second records it, and from then on it is replayed. So the work must
// do the same to the same tensors each time, and nothing in it may wait for the GPU. On the CPU, where the work is not
// replayable, and where the GPU has no memory for a recording, it is just executed.
#pragma once

#include <functional>
#include <memory>

#include <c10/core/Device.h>

namespace geniepath::training {

class CapturedStep {
 public:
  CapturedStep(c10::Device device, bool replayable, std::function<void()> work);
  ~CapturedStep();
  CapturedStep(CapturedStep&&) noexcept;
  void run();

 private:
  struct Recording;
  void record();
  c10::Device device_;
  bool replayable_;
  std::function<void()> work_;
  std::unique_ptr<Recording> recording_;
  int64_t bytes_ = -1;  // what the work takes; -1 before its first run
};

// While it lives, this thread's GPU work is queued on a stream that can be recorded.
class RecordableStream {
 public:
  explicit RecordableStream(c10::Device device);
  ~RecordableStream();

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

}  // namespace geniepath::training
