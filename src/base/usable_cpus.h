// Number of CPUs this process may keep busy: those in its affinity mask, or fewer where its control groups (a
// container's limit) allow less time.
#pragma once

#include <cstdint>
#include <filesystem>

namespace geniepath {

int64_t usable_cpus();

// CPUs that the control groups of this process allow, rounded up; 0 for no limit. `root` replaces "/", below which
// proc/self/cgroup and sys/fs/cgroup are read.
int64_t cpus_of_control_groups(const std::filesystem::path& root);

}  // namespace geniepath
