// The memory of CPU tensors: counted, and for large tensors taken in huge pages and kept for the next of the same size.
// Rows gathered at random from huge pages cost about two thirds of what they cost from ordinary ones, and no page is
// faulted in twice. A program opts in once at its start; libraries should leave that choice to the program.
#pragma once

#include <cstdint>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

void use_large_pages();
// Whether new large tensors are taken so (they are, once use_large_pages() was called) or as LibTorch itself does.
// They are counted either way.
void set_large_pages(bool on);

// Memory that nothing uses goes back to the system: tensors kept for the next, and what the C library holds of the rest.
void give_back_free_memory();

// This thread takes memory from a heap no other one has, where there is one left.
void claim_heap();

// Threads that begin from now on take memory from so many heaps in all, the program's first among them, not from one
// each: what one leaves the next finds. For programs whose threads answer one large question now and then.
void share_heaps(int64_t heaps);

// Bytes of CPU tensors alive now and the most since the last reset; 0 before use_large_pages().
int64_t live_tensor_bytes();
int64_t peak_tensor_bytes();
void reset_peak_tensor_bytes();

// From now on CPU tensors may take up this much together: what would go beyond fails as if the machine had no more.
void limit_tensor_bytes(int64_t bytes);

}  // namespace geniepath
