#pragma once

#include <cstdint>
#include <filesystem>

#include "geniepath/usable_cpus.h"

namespace geniepath {

// CPUs that the control groups of this process allow, rounded up; 0 for no limit. `root` replaces "/", below which
// proc/self/cgroup and sys/fs/cgroup are read.
int64_t cpus_of_control_groups(const std::filesystem::path& root);

}  // namespace geniepath
