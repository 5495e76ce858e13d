// A limit on the memory of this process, for graphs larger than it.
//
// Large blocks (tensors and arrays of 1 MiB or more) are private memory while that stays below the limit; beyond, they
// are mapped from temporary files, whose pages the system writes to disk and drops as it needs to, like those of any
// mapped file. Private memory is what the program had touched when the limit was set, and all that was reserved since,
// touched or not: it grows like the memory that `ulimit -d` counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace geniepath {

struct MemoryLimit {
  int64_t bytes = 0;
  std::filesystem::path scratch;  // folder of the temporary files, which have no names and vanish with the process
};

// Sets the limit for the rest of the process. Call it once, before threads start and before data is loaded. An Error if
// the program itself exceeds it or what `ulimit -d` allows, or if the folder is in memory.
void limit_memory(const MemoryLimit& limit);

// 0: none was set. The functions below are for a process that has one.
int64_t memory_limit();

// The most private memory allowed: the limit, less the resident pages of the program's own files, and less an eighth
// for pages of the data's files; less where `ulimit -d` allows less.
int64_t private_memory_limit();

// The limit under which private memory may grow to this.
int64_t limit_for(int64_t private_bytes);

int64_t private_memory();
int64_t scratch_memory();  // blocks in temporary files

// Peaks, measured whenever a large block was taken: of both together since the last reset, and of private memory ever.
int64_t peak_memory();
void reset_peak_memory();
int64_t peak_private_memory();

constexpr size_t kLargeBlock = size_t{1} << 20;

struct LargeBlock {
  void* data = nullptr;
  size_t bytes = 0;
  bool in_file = false;
};
// Private where that fits, else in a file. A full disk is an Error.
bool fits_in_private_memory(size_t bytes);
LargeBlock map_large(size_t bytes);
void unmap_large(const LargeBlock& block);

}  // namespace geniepath
