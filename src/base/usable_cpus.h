// How many CPUs this process may keep busy: those it may run on, or fewer where its control groups (a container's limit)
// allow less time.
#pragma once

#include <cstdint>
#include <filesystem>

namespace geniepath {

int64_t usable_cpus();

// CPUs the control groups of this process allow, a part of one counted as one; 0 where they set no limit. `root` stands
// in for "/": there lie proc/self/cgroup and sys/fs/cgroup.
int64_t cpus_of_control_groups(const std::filesystem::path& root);

}  // namespace geniepath
