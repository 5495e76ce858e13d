#include "geniepath/tensor_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <malloc.h>
#include <sys/mman.h>
#include <torch/version.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/byte_size.h"
#include "base/kept_tensors.h"
#include "base/memory_limit.h"

// Allocator::allocate became non-const and copy_data was added in LibTorch 2.3.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
#define GENIEPATH_ALLOCATE_CONST
#else
#define GENIEPATH_ALLOCATE_CONST const
#endif

namespace geniepath {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kLarge = size_t{1} << 20;          // from this size on, huge pages,
constexpr size_t kOwnPages = size_t{16} << 20;       // and from this size on, pages of its own
constexpr size_t kSharedPages = size_t{32} << 20;    // allocated at a time for sizes in between
constexpr size_t kKeptAtLeast = size_t{256} << 20;  // freed bytes kept for reuse; more if more have been in use at once

// Rounds up by at most a sixteenth, so that slightly different sizes share blocks. A block that does not fill a whole
// number of huge pages shares its last one: the system zeroes every page it hands out, used or not, and a run's first
// epoch waits for that.
size_t size_class(size_t bytes) {
  if (bytes < kLarge) return bytes;
  size_t step = bytes < kOwnPages ? kLarge / 16 : kHugePage;
  while (step * 16 < bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(size_t bytes)
      : what_("can't allocate memory: tried to allocate " + std::to_string(bytes) + " bytes") {}
  OutOfMemory(size_t bytes, int64_t live, int64_t limit)
      : what_("can't allocate memory: " + bytes_text(static_cast<int64_t>(bytes)) + " beside the " + bytes_text(live) +
              " in use, of " + bytes_text(limit)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// A block of ours.
struct Place {
  void* data = nullptr;
  bool in_file = false, limited = false;  // limited: taken under a memory limit (memory_limit.h)
};

struct Block {
  Place place;
  bool kept_by_us;   // else from LibTorch's own allocator
  size_t size;       // of the size class
  size_t requested;  // by this use
};

class TensorMemory {
 public:
  static TensorMemory& instance() {
    static auto* memory = new TensorMemory;  // never destroyed: tensors may outlive everything
    return *memory;
  }

  Block* take(size_t bytes) {
    if (live_ + static_cast<int64_t>(bytes) > limit_) throw OutOfMemory(bytes, live_, limit_);
    const size_t size = size_class(bytes);
    const bool large = size >= kLarge && on_;
    Place place = large ? take_kept(size) : Place{};
    if (place.data == nullptr) place = large ? make(size) : Place{c10::alloc_cpu(bytes)};
    const int64_t live = live_ += static_cast<int64_t>(bytes);
    int64_t peak = peak_;
    while (live > peak && !peak_.compare_exchange_weak(peak, live)) {
    }
    return new Block{place, large, size, bytes};
  }

  void give_back(Block* block) {
    live_ -= static_cast<int64_t>(block->requested);
    if (!block->kept_by_us) {
      c10::free_cpu(block->place.data);
    } else {
      keep(*block);
    }
    delete block;
  }

  void drop_kept() {
    const std::lock_guard<std::mutex> lock(mutex_);
    drop_kept_beyond(0);
    most_in_use_ = in_use_;
  }

  void drop_kept_private() {
    const std::lock_guard<std::mutex> lock(mutex_);
    drop_private();
  }

  std::atomic<int64_t> live_{0}, peak_{0}, limit_{std::numeric_limits<int64_t>::max()};
  std::atomic<bool> on_{true};

 private:
  static void* huge_pages(size_t size) {
    void* data = nullptr;
    if (::posix_memalign(&data, kHugePage, size) != 0) throw OutOfMemory(size);
    ::madvise(data, size, MADV_HUGEPAGE);
    return data;
  }

  // Makes room first: memory of other sizes, kept from earlier, would add to what has been in use at once.
  Place make(size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool limited = memory_limit() > 0;
    const size_t most = std::max(limited ? 0 : kKeptAtLeast, most_in_use_), wanted = in_use_ + size;
    drop_kept_beyond(most > wanted ? most - wanted : 0);
    Place place = limited ? make_limited(size) : Place{size >= kOwnPages ? huge_pages(size) : in_shared_pages(size)};
    count_use(size);
    return place;
  }

  // Pages of its own for every block, so that what is dropped is no longer reserved either.
  Place make_limited(size_t size) {
    if (!fits_in_private_memory(size)) drop_private();
    const LargeBlock block = map_large(size);
    return {block.data, block.in_file, true};
  }

  void drop_private() {
    for (auto at = kept_.begin(); at != kept_.end();) {
      const auto [size, place] = *at;
      if (place.in_file) {
        ++at;
        continue;
      }
      kept_bytes_ -= size;
      drop(size, place);
      at = kept_.erase(at);
    }
  }

  void* in_shared_pages(size_t size) {
    if (const auto found = places_.find(size); found != places_.end()) return places_.extract(found).mapped();
    if (shared_left_ < size) {
      shared_ = static_cast<std::byte*>(huge_pages(kSharedPages));
      shared_left_ = kSharedPages;
    }
    shared_left_ -= size;
    return std::exchange(shared_, shared_ + size);
  }

  void count_use(size_t size) {
    in_use_ += size;
    most_in_use_ = std::max(most_in_use_, in_use_);
  }

  Place take_kept(size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kept_.find(size);
    if (found == kept_.end()) return {};
    count_use(size);
    kept_bytes_ -= size;
    return kept_.extract(found).mapped();
  }

  void keep(const Block& block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    in_use_ -= block.size;
    kept_.emplace(block.size, block.place);
    kept_bytes_ += block.size;
  }

  void drop_kept_beyond(size_t bytes) {
    while (kept_bytes_ > bytes) {
      const auto largest = std::prev(kept_.end());
      kept_bytes_ -= largest->first;
      drop(largest->first, largest->second);
      kept_.erase(largest);
    }
  }

  // A block in shared pages returns its memory to the system and keeps its address range for the next of its size.
  void drop(size_t size, const Place& place) {
    if (place.limited) return unmap_large({place.data, size, place.in_file});
    if (size >= kOwnPages) return std::free(place.data);
    ::madvise(place.data, size, MADV_DONTNEED);
    places_.emplace(size, place.data);
  }

  std::mutex mutex_;
  std::multimap<size_t, Place> kept_;    // free blocks by size: with their memory,
  std::multimap<size_t, void*> places_;  // and without
  size_t kept_bytes_ = 0;
  size_t in_use_ = 0, most_in_use_ = 0;  // blocks of ours, and their peak since drop_kept()
  std::byte* shared_ = nullptr;  // huge pages not divided yet
  size_t shared_left_ = 0;
};

void release(void* block) {
  if (block != nullptr) TensorMemory::instance().give_back(static_cast<Block*>(block));
}

struct LargePageAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) GENIEPATH_ALLOCATE_CONST override {
    if (bytes == 0) return {nullptr, nullptr, &release, c10::Device(c10::kCPU)};
    Block* block = TensorMemory::instance().take(bytes);
    return {block->place.data, block, &release, c10::Device(c10::kCPU)};
  }
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
  void copy_data(void* to, const void* from, std::size_t count) const override { std::memcpy(to, from, count); }
#endif
};

}  // namespace

void use_large_pages() {
  static LargePageAllocator allocator;
  c10::SetCPUAllocator(&allocator, /*priority=*/1);
}

void set_large_pages(bool on) { TensorMemory::instance().on_ = on; }

void give_back_free_memory() {
  TensorMemory::instance().drop_kept();
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

void drop_kept_private_tensors() { TensorMemory::instance().drop_kept_private(); }

void claim_heap() {
  void* volatile first = ::malloc(1);  // a thread gets its arena at its first allocation
  ::free(first);
}

void share_heaps([[maybe_unused]] int64_t heaps) {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, static_cast<int>(heaps));
#endif
}

int64_t live_tensor_bytes() { return TensorMemory::instance().live_; }
int64_t peak_tensor_bytes() { return TensorMemory::instance().peak_; }
void reset_peak_tensor_bytes() { TensorMemory::instance().peak_ = TensorMemory::instance().live_.load(); }
void limit_tensor_bytes(int64_t bytes) { TensorMemory::instance().limit_ = bytes; }

}  // namespace geniepath
