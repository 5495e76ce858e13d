// Repeated GPU work, recorded once as a CUDA graph: one call replays all its kernels, so that training on small graphs
// is not bound by launch times.
//
// The first run() executes the work, the second records it, and all later ones replay it. So the work must do the same
// to the same tensors each time, and must not wait for the GPU. On the CPU, or if the work is not replayable or the GPU
// lacks memory for a recording, every run() executes it.
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
  int64_t bytes_ = -1;  // peak memory of the work; -1 before its first run
};

// For its lifetime, queues this thread's GPU work on a stream that can be recorded.
class RecordableStream {
 public:
  explicit RecordableStream(c10::Device device);
  ~RecordableStream();

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

}  // namespace geniepath::training
