#include "base/large_array.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "base/kept_tensors.h"
#include "base/memory_limit.h"

namespace geniepath {
namespace {

std::shared_ptr<void> limited_memory(size_t bytes) {
  if (!fits_in_private_memory(bytes)) drop_kept_private_tensors();
  const LargeBlock block = map_large(bytes);
  return {block.data, [block](void*) { unmap_large(block); }};
}

}  // namespace

std::shared_ptr<void> uninitialised_memory(size_t bytes) {
  if (bytes >= kLargeBlock && memory_limit() > 0) return limited_memory(bytes);
  constexpr size_t kHugePage = size_t{2} << 20, kCacheLine = 64;
  const bool large = bytes >= 2 * kHugePage;
  void* data = nullptr;
  if (::posix_memalign(&data, large ? kHugePage : kCacheLine, bytes) != 0) throw std::bad_alloc();
  if (large) ::madvise(data, bytes, MADV_HUGEPAGE);
  return {data, std::free};
}

}  // namespace geniepath
