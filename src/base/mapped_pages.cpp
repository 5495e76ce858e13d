#include "base/mapped_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

namespace geniepath {
namespace {

struct Mappings {
  std::mutex mutex;
  std::map<uintptr_t, uintptr_t> end_of;  // by begin
};

Mappings& mappings() {
  static auto* all = new Mappings;  // never destroyed: arrays may outlive everything
  return *all;
}

uintptr_t address(const std::byte* at) { return reinterpret_cast<uintptr_t>(at); }

}  // namespace

void note_mapped(std::span<const std::byte> bytes) {
  const std::lock_guard<std::mutex> lock(mappings().mutex);
  mappings().end_of[address(bytes.data())] = address(bytes.data() + bytes.size());
}

void note_unmapped(std::span<const std::byte> bytes) {
  const std::lock_guard<std::mutex> lock(mappings().mutex);
  mappings().end_of.erase(address(bytes.data()));
}

void let_go_of_mapped(std::span<const std::byte> bytes) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t first = (address(bytes.data()) + page - 1) / page * page;
  const uintptr_t last = address(bytes.data() + bytes.size()) / page * page;
  if (first >= last) return;
  const std::lock_guard<std::mutex> lock(mappings().mutex);
  const auto after = mappings().end_of.upper_bound(first);
  if (after == mappings().end_of.begin() || std::prev(after)->second < last) return;
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace geniepath
