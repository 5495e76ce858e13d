#include "train/captured_step.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>

namespace geniepath::training {

// Memory for recordings. All that live at a time share one: they are replayed one after the other, and what one leaves
// behind is in tensors that were there before it.
struct RecordingMemory {
  at::cuda::MempoolId_t id = at::cuda::graph_pool_handle();

  static std::shared_ptr<RecordingMemory> shared() {
    static std::weak_ptr<RecordingMemory> latest;
    std::shared_ptr<RecordingMemory> memory = latest.lock();
    if (!memory) latest = memory = std::make_shared<RecordingMemory>();
    return memory;
  }
};

struct CapturedStep::Recording {
  std::shared_ptr<RecordingMemory> memory = RecordingMemory::shared();
  at::cuda::CUDAGraph graph;
};

CapturedStep::CapturedStep(c10::Device device, bool replayable, std::function<void()> work)
    : replayable_(replayable && device.is_cuda()), work_(std::move(work)) {}
CapturedStep::~CapturedStep() = default;
CapturedStep::CapturedStep(CapturedStep&&) noexcept = default;

void CapturedStep::run() {
  if (!replayable_ || !seen_) {
    seen_ = true;
    work_();
    return;
  }
  if (!recording_) {
    recording_ = std::make_unique<Recording>();
    recording_->graph.capture_begin(recording_->memory->id);
    work_();
    recording_->graph.capture_end();
  }
  recording_->graph.replay();
}

struct RecordableStream::Guard {
  c10::cuda::CUDAStreamGuard stream;
};

RecordableStream::RecordableStream(c10::Device device) {
  if (!device.is_cuda()) return;
  guard_.reset(new Guard{c10::cuda::CUDAStreamGuard(c10::cuda::getStreamFromPool(false, device.index()))});
}
RecordableStream::~RecordableStream() = default;

}  // namespace geniepath::training
