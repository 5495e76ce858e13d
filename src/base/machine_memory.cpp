#include "base/machine_memory.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace geniepath {
namespace {

// Without a limit, such a file says "max", or is missing.
int64_t limit_in(const char* file) {
  int64_t bytes = 0;
  std::ifstream in(file);
  return in >> bytes && bytes > 0 ? bytes : std::numeric_limits<int64_t>::max();
}

}  // namespace

int64_t machine_memory() {
  struct sysinfo info {};
  if (::sysinfo(&info) != 0) return std::numeric_limits<int64_t>::max();
  const auto machine = static_cast<int64_t>((info.totalram + info.totalswap) * info.mem_unit);
  return std::min(
      {machine, limit_in("/sys/fs/cgroup/memory.max"), limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace geniepath
