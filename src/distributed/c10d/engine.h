// LibTorch's engines for collective operations (c10d): Gloo for tensors in memory, and, by way of memory, on GPUs; NCCL
// for tensors on GPUs.
#pragma once

#include <torch/version.h>
#if TORCH_VERSION_MAJOR >= 2
#include <torch/csrc/distributed/c10d/Backend.hpp>
#else
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#endif
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>

#include "distributed/place.h"

namespace geniepath::distributed {

#if TORCH_VERSION_MAJOR >= 2
using Engine = c10d::Backend;
#else
using Engine = c10d::ProcessGroup;
#endif
using SharedEngine = c10::intrusive_ptr<Engine>;

// Null in a build without Gloo's headers. Waits for the other processes, which make theirs at the same store.
SharedEngine make_gloo(const c10::intrusive_ptr<c10d::Store>& store, const Place& place,
                       std::chrono::milliseconds timeout);

// Whether each process of this machine can have a GPU to itself, as NCCL needs; false in a build without NCCL.
bool can_use_nccl(const Place& place);
// All processes must be able to use it.
SharedEngine make_nccl(const c10::intrusive_ptr<c10d::Store>& store, const Place& place,
                       std::chrono::milliseconds timeout);

}  // namespace geniepath::distributed
