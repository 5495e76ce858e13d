// How many threads are worth starting.
#pragma once

#include <cstdint>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

// Number of CPUs this process may keep busy: those in its affinity mask, or fewer where its control groups (a
// container's limit) allow less time. The library computes with LibTorch's number of threads, which in Debian's
// LibTorch begins at 1: at::set_num_threads(usable_cpus()) uses them all, as the program does.
int64_t usable_cpus();

}  // namespace geniepath
