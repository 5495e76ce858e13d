// How much memory this process may use at all.
#pragma once

#include <cstdint>

namespace geniepath {

// The machine's memory and swap, or what its container is allowed if that is less.
int64_t machine_memory();

}  // namespace geniepath
