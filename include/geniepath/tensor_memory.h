// Memory of CPU tensors: counted, and for tensors of 1 MiB or more allocated in huge pages and reused for tensors of
// the same size, up to the most in use at once. Gathering random rows from huge pages takes two thirds of the time, and
// no page is faulted in twice. A program opts in once, at its start; libraries should leave that choice to the program.
#pragma once

#include <cstdint>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

// Installs the allocator. Call it, and share_heaps(), before other threads start; the rest is safe from any thread.
void use_large_pages();
// Switches huge pages off and on for new tensors; off, they come from LibTorch's own allocator, counted all the same.
void set_large_pages(bool on);

// Returns unused memory to the system: blocks kept for reuse, and (glibc) free memory of the malloc arenas.
void give_back_free_memory();

// Gives the calling thread a malloc arena of its own, if one is left. Call it first in a new thread.
void claim_heap();

// Caps the number of malloc arenas, the main one included, shared by threads started after this call (glibc): memory
// that one thread frees is reused by another. For programs whose threads each need much memory now and then.
void share_heaps(int64_t heaps);

// Bytes of live CPU tensors, and their peak since the last reset; 0 before use_large_pages().
int64_t live_tensor_bytes();
int64_t peak_tensor_bytes();
void reset_peak_tensor_bytes();

// Limits the bytes of live CPU tensors: an allocation beyond the limit fails as if the machine were out of memory.
void limit_tensor_bytes(int64_t bytes);

}  // namespace geniepath
