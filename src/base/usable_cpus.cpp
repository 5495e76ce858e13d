#include "base/usable_cpus.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

namespace geniepath {
namespace {

namespace fs = std::filesystem;

constexpr double kNoLimit = 0;

double stricter(double a, double b) { return a == kNoLimit ? b : b == kNoLimit ? a : std::min(a, b); }

double share(double quota, double period) { return quota > 0 && period > 0 ? quota / period : kNoLimit; }

// Version 2: "cpu.max" holds a quota, or "max", and a period.
double limit_in_max(const fs::path& group) {
  double quota = 0, period = 0;
  std::ifstream(group / "cpu.max") >> quota >> period;
  return share(quota, period);
}

// Version 1: one file each; a quota of -1 means no limit.
double limit_in_cfs(const fs::path& group) {
  double quota = 0, period = 0;
  std::ifstream(group / "cpu.cfs_quota_us") >> quota;
  std::ifstream(group / "cpu.cfs_period_us") >> period;
  return share(quota, period);
}

// A group is also limited by its ancestors. In a container the path may be the host's, of which only the top is
// mounted: missing folders set no limit.
double limit_on_the_way_up(const fs::path& mounted_at, fs::path group) {
  double limit = kNoLimit;
  for (;; group = group.parent_path()) {
    const fs::path folder = mounted_at / group;
    limit = stricter(limit, stricter(limit_in_max(folder), limit_in_cfs(folder)));
    if (group.empty()) return limit;
  }
}

int64_t cpus_of_affinity() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
  return std::thread::hardware_concurrency();  // more CPUs than cpu_set_t holds
}

}  // namespace

int64_t cpus_of_control_groups(const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  double limit = kNoLimit;
  for (std::string number, controllers, group;
       std::getline(groups, number, ':') && std::getline(groups, controllers, ':') && std::getline(groups, group);) {
    const fs::path path = fs::path(group).relative_path();
    if (controllers.empty()) {
      limit = stricter(limit, limit_on_the_way_up(mounts, path));
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      limit = stricter(
          limit, stricter(limit_on_the_way_up(mounts / controllers, path), limit_on_the_way_up(mounts / "cpu", path)));
    }
  }
  return static_cast<int64_t>(std::ceil(limit));
}

int64_t usable_cpus() {
  const int64_t here = std::max<int64_t>(1, cpus_of_affinity()), allowed = cpus_of_control_groups("/");
  return allowed == 0 ? here : std::min(here, allowed);
}

}  // namespace geniepath
