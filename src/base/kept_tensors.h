// Blocks of freed tensors that are kept for reuse (geniepath/tensor_memory.h).
#pragma once

namespace geniepath {

// Returns those in private memory to the system, for when a limit leaves no room for them (memory_limit.h).
void drop_kept_private_tensors();

}  // namespace geniepath
