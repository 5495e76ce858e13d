#include "distributed/c10d/engine.h"

#include <c10/cuda/CUDAFunctions.h>
#include <cstdlib>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace geniepath::distributed {

bool can_use_nccl(const Place& place) { return place.local_size <= static_cast<int64_t>(c10::cuda::device_count()); }

SharedEngine make_nccl(const c10::intrusive_ptr<c10d::Store>& store, const Place& place,
                       std::chrono::milliseconds timeout) {
  // Waiting ends with an exception when the others do not answer in time; by default the process would be aborted.
  ::setenv("TORCH_NCCL_BLOCKING_WAIT", "1", 0);
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, static_cast<int>(place.rank), static_cast<int>(place.size),
                                                     options);
}

}  // namespace geniepath::distributed
