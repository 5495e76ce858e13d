// The most memory that this process may use.
#pragma once

#include <cstdint>

namespace geniepath {

// The machine's memory and swap, or what its container is allowed if that is less.
int64_t machine_memory();

}  // namespace geniepath
