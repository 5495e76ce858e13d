#include "base/large_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace geniepath {

std::shared_ptr<void> uninitialised_memory(size_t bytes) {
  constexpr size_t kHugePage = size_t{2} << 20, kCacheLine = 64;
  const bool large = bytes >= 2 * kHugePage;
  void* data = nullptr;
  if (::posix_memalign(&data, large ? kHugePage : kCacheLine, bytes) != 0) throw std::bad_alloc();
  if (large) ::madvise(data, bytes, MADV_HUGEPAGE);
  return {data, std::free};
}

}  // namespace geniepath
