#include "base/usable_cpus.h"

#include <gtest/gtest.h>
#include <sched.h>

#include "scratch_folder.h"

namespace geniepath {
namespace {

TEST(UsableCpus, AreThoseTheProcessMayRunOn) {
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
  const int64_t all = usable_cpus();
  EXPECT_GE(all, 1);
  EXPECT_LE(all, CPU_COUNT(&before));
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_cpus(), 1);
  ASSERT_EQ(::sched_setaffinity(0, sizeof(before), &before), 0);
}

class ControlGroups : public ::testing::Test {
 protected:
  int64_t cpus() const { return cpus_of_control_groups(root_.path()); }
  testing::ScratchFolder root_;
};

TEST_F(ControlGroups, NoneAreNoLimit) {
  EXPECT_EQ(cpus(), 0);
  root_.write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(ControlGroups, OfVersionTwoLimitWhatIsBelowThem) {
  root_.write("proc/self/cgroup", "0::/pod/worker\n");
  root_.write("sys/fs/cgroup/pod/worker/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus(), 0);
  root_.write("sys/fs/cgroup/pod/cpu.max", "350000 100000\n");
  EXPECT_EQ(cpus(), 4) << "a part of a CPU is worth a thread";
  root_.write("sys/fs/cgroup/pod/worker/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpus(), 1);
}

TEST_F(ControlGroups, OfVersionOneAreFoundBesideOthers) {
  root_.write("proc/self/cgroup", "3:memory:/\n2:cpu,cpuacct:/docker/5f\n1:cpuset:/\n0::/\n");
  root_.write("sys/fs/cgroup/cpu,cpuacct/docker/5f/cpu.cfs_quota_us", "-1\n");
  root_.write("sys/fs/cgroup/cpu,cpuacct/docker/5f/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus(), 0);
  root_.write("sys/fs/cgroup/cpu,cpuacct/docker/5f/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(cpus(), 2);
}

// Without its own namespace, a container sees the host's path, but only its own group is mounted, at the top.
TEST_F(ControlGroups, OfAContainerAreMountedAtTheTop) {
  root_.write("proc/self/cgroup", "1:cpu:/docker/5f\n");
  root_.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  root_.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus(), 1);
}

}  // namespace
}  // namespace geniepath
