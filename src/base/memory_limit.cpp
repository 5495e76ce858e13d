#include "base/memory_limit.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "base/byte_size.h"
#include "base/descriptor.h"
#include "base/file_memory.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr int64_t kLeastRoom = int64_t{64} << 20, kRoomShare = 8;  // for pages of the data's files

// /proc/self/statm, in bytes.
struct ProcessMemory {
  int64_t resident, of_files, reserved;  // reserved: private and writable, touched or not
};

struct LimitState {
  MemoryLimit limit;
  Descriptor statm;
  int64_t program = 0;  // resident pages of its files,
  int64_t before = 0;   // and private memory less what is reserved, when the limit was set
  int64_t allowed = std::numeric_limits<int64_t>::max();  // private memory, by ulimit -d
  std::atomic<int64_t> scratch{0}, peak{0}, peak_private{0};
};

LimitState& limit_state() {
  static auto* state = new LimitState;  // never destroyed: tensors may outlive everything
  return *state;
}

ProcessMemory process_memory() {
  char text[128];
  const ssize_t size = ::pread(limit_state().statm.number(), text, sizeof text, 0);
  if (size <= 0) fail_on("/proc/self/statm", "cannot read");
  int64_t field[6] = {};
  const char *at = text, *end = text + size;
  for (int64_t& pages : field) {
    at = std::from_chars(at, end, pages).ptr;
    if (at < end) ++at;
  }
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  return {field[1] * page, field[2] * page, field[5] * page};
}

void check_on_disk(const std::filesystem::path& folder) {
  struct statfs system {};
  if (::statfs(folder.c_str(), &system) != 0) fail_on(folder, "cannot use for temporary files");
  if (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC) {
    fail(folder.string(), ": is in memory itself; --scratch names a folder on a disk for temporary files");
  }
}

void* map_private(size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  ::madvise(data, bytes, MADV_HUGEPAGE);
  return data;
}

void raise_to(std::atomic<int64_t>& peak, int64_t now) {
  int64_t seen = peak;
  while (now > seen && !peak.compare_exchange_weak(seen, now)) {
  }
}

void note_peak() {
  const int64_t now = private_memory();
  raise_to(limit_state().peak_private, now);
  raise_to(limit_state().peak, now + scratch_memory());
}

// Freed memory goes back to the system, where large blocks find it.
void keep_heaps_small() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargeBlock));
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(kLargeBlock));
  ::mallopt(M_ARENA_MAX, 2);
#endif
}

// Under `ulimit -d`, which counts what libraries reserve and never touch, room is left for what they reserve later: one
// of them ends the process if that is refused.
void check_system_limit(LimitState& state, const ProcessMemory& now) {
  rlimit data{};
  if (::getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur >= static_cast<rlim_t>(state.allowed)) return;
  state.allowed = static_cast<int64_t>(data.rlim_cur) + state.before - kLeastRoom;
  if (now.reserved + 2 * kLeastRoom <= static_cast<int64_t>(data.rlim_cur)) return;
  fail("ulimit -d ", data.rlim_cur >> 10, ": the program and its libraries reserve ", bytes_text(now.reserved),
       ", whether they touch it or not; choose ", (now.reserved + 2 * kLeastRoom) >> 10, " or more");
}

}  // namespace

void limit_memory(const MemoryLimit& limit) {
  LimitState& state = limit_state();
  check_on_disk(limit.scratch);
  state.statm = Descriptor("/proc/self/statm", O_RDONLY);
  const ProcessMemory now = process_memory();
  const int64_t own = now.resident - now.of_files;
  state.before = own - now.reserved;
  state.program = now.of_files;
  if (const int64_t least = limit_for(own + kLeastRoom); limit.bytes < least) {
    fail("--memory-limit ", bytes_text(limit.bytes), ": the program itself takes ", bytes_text(now.resident),
         "; choose ", bytes_text(least), " or more");
  }
  check_system_limit(state, now);
  keep_heaps_small();
  state.limit = limit;
}

int64_t memory_limit() { return limit_state().limit.bytes; }
int64_t private_memory_limit() {
  return std::min(limit_state().allowed,
                  memory_limit() - limit_state().program - std::max(kLeastRoom, memory_limit() / kRoomShare));
}
int64_t limit_for(int64_t private_bytes) {
  const int64_t used = private_bytes + limit_state().program;
  return std::max(used + kLeastRoom, used / (kRoomShare - 1) * kRoomShare);
}
int64_t private_memory() { return process_memory().reserved + limit_state().before; }
int64_t scratch_memory() { return limit_state().scratch; }
int64_t peak_memory() { return limit_state().peak; }
int64_t peak_private_memory() { return limit_state().peak_private; }

void reset_peak_memory() {
  limit_state().peak = 0;
  note_peak();
}

bool fits_in_private_memory(size_t bytes) {
  return private_memory() + static_cast<int64_t>(bytes) <= private_memory_limit();
}

LargeBlock map_large(size_t bytes) {
  void* data = fits_in_private_memory(bytes) ? map_private(bytes) : nullptr;
  const bool in_file = data == nullptr;
  if (in_file) {
    data = map_file_memory(limit_state().limit.scratch, bytes);
    limit_state().scratch += static_cast<int64_t>(bytes);
  }
  note_peak();
  return {data, bytes, in_file};
}

void unmap_large(const LargeBlock& block) {
  if (!block.in_file) {
    ::munmap(block.data, block.bytes);
    return;
  }
  unmap_file_memory(block.data, block.bytes);
  limit_state().scratch -= static_cast<int64_t>(block.bytes);
}

}  // namespace geniepath
