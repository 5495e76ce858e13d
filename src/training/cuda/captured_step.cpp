#include "training/captured_step.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <algorithm>

namespace geniepath::training {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

// Upper bound of the peak memory of the work that just ran.
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

// Memory pool of recordings, shared by all that exist at a time: they are replayed one by one, and their results are in
// tensors allocated outside. Memory cached from earlier work is released first, since a recording cannot use it.
struct RecordingMemory {
  at::cuda::MempoolId_t id = at::cuda::graph_pool_handle();
  int64_t bytes = 0;  // needed by its recordings

  RecordingMemory() { allocator::emptyCache(); }
  // With a quarter to spare, since the allocator reserves larger pieces than requested.
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
    } catch (const c10::Error&) {  // ending a broken recording fails; report the error that broke it
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

// If the GPU has no room left for a recording, the work continues to be executed directly.
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
