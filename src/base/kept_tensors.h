// Blocks of freed tensors that are kept for reuse (geniepath/tensor_memory.h).
#pragma once

namespace geniepath {

// Gives those in private memory back to the system, where a limit leaves no room for them (memory_limit.h).
void drop_kept_private_tensors();

}  // namespace geniepath
