#include "training/captured_step.h"

namespace geniepath::training {

struct CapturedStep::Recording {};
struct RecordableStream::Guard {};

CapturedStep::CapturedStep(c10::Device device, bool replayable, std::function<void()> work)
    : device_(device), replayable_(replayable && device.is_cuda()), work_(std::move(work)) {}
CapturedStep::~CapturedStep() = default;
CapturedStep::CapturedStep(CapturedStep&&) noexcept = default;
void CapturedStep::run() { work_(); }

RecordableStream::RecordableStream(c10::Device) {}
RecordableStream::~RecordableStream() = default;

}  // namespace geniepath::training
