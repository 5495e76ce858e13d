#include "training/captured_step.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <algorithm>

namespace geniepath::training {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

// The most the work can have taken at a time, after it ran.
int64_t bytes_taken(c10::DeviceIndex gpu) {
  const auto allocated = allocator::getDeviceStats(gpu).allocated_bytes[0];
  return allocated.peak - allocated.current;
}

int64_t free_bytes() {
  size_t free = 0, total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return static_cast<int64_t>(free);
}

}  // namespace

// Memory for recordings. All that live at a time share one: they are replayed one after the other, and what one leaves
// behind is in tensors that were there before it. What earlier work left in the allocator's hands is given back first,
// for a recording cannot use it.
struct RecordingMemory {
  at::cuda::MempoolId_t id = at::cuda::graph_pool_handle();
  int64_t bytes = 0;  // that its recordings need

  RecordingMemory() { allocator::emptyCache(); }
  // With something to spare, for the allocator takes memory in larger pieces than it is asked for.
  bool has_room_for(int64_t needed) const { return needed + needed / 4 - bytes < free_bytes(); }

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

  void record(const std::function<void()>& work) {
    graph.capture_begin(memory->id);
    try {
      work();
    } catch (...) {
      end_after_error();
      throw;
    }
    graph.capture_end();
  }

 private:
  void end_after_error() {
    try {
      graph.capture_end();
    } catch (const c10::Error&) {  // a broken recording cannot be ended well; the error that broke it is the one to tell
    }
  }
};

CapturedStep::CapturedStep(c10::Device device, bool replayable, std::function<void()> work)
    : device_(device), replayable_(replayable && device.is_cuda()), work_(std::move(work)) {}
CapturedStep::~CapturedStep() = default;
CapturedStep::CapturedStep(CapturedStep&&) noexcept = default;

void CapturedStep::run() {
  if (replayable_ && bytes_ >= 0 && !recording_) record();
  if (recording_) return recording_->graph.replay();
  work_();
  if (replayable_) bytes_ = bytes_taken(device_.index());
}

// Where the GPU has no room for a recording beside what lies there, the work goes on being executed as it is.
void CapturedStep::record() {
  auto recording = std::make_unique<Recording>();
  replayable_ = recording->memory->has_room_for(bytes_);
  if (!replayable_) return;
  recording->record(work_);
  recording->memory->bytes = std::max(recording->memory->bytes, bytes_);
  recording_ = std::move(recording);
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
