#include "base/memory_limit.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>

#include "base/large_array.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// A limit holds for the rest of a process, so each test sets it in one of its own. `work` returns what is wrong, or
// nothing.
void expect_in_a_process(const std::function<std::string()>& work) {
  const auto run = [&] {
    at::set_num_threads(1);  // libgomp has none left in a fork
    std::string problem;
    try {
      problem = work();
    } catch (const std::exception& error) {
      problem = std::string("thrown: ") + error.what();
    }
    std::fprintf(stderr, "%s", problem.c_str());
    std::_Exit(problem.empty() ? 0 : 1);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "");
}

struct Resident {
  int64_t all = 0, of_files = 0;
};

Resident resident() {
  int64_t pages = 0, all = 0, of_files = 0;
  std::ifstream("/proc/self/statm") >> pages >> all >> of_files;
  return {all * ::sysconf(_SC_PAGESIZE), of_files * ::sysconf(_SC_PAGESIZE)};
}

// Leaves about 190 MiB for tensors.
int64_t tight_limit() { return resident().all + 256 * kMiB; }

class MemoryLimitTest : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers reserve memory of their own";
#endif
    ::testing::FLAGS_gtest_death_test_style = "fast";
  }
  testing::ScratchFolder scratch_;
};

TEST_F(MemoryLimitTest, KeepsInFilesWhatDoesNotFit) {
  expect_in_a_process([&]() -> std::string {
    use_large_pages();
    limit_memory({tight_limit(), scratch_.path()});
    std::vector<at::Tensor> tensors;
    for (int n = 0; n < 40; ++n)
      tensors.push_back(at::full({2 * kMiB}, static_cast<double>(n)));  // 8 MiB each, 320 MiB in all
    if (const Resident now = resident(); now.all - now.of_files > memory_limit())
      return "private memory exceeds the limit";
    if (scratch_memory() < 100 * kMiB) return "too little is in files: " + std::to_string(scratch_memory());
    if (scratch_memory() > 200 * kMiB) return "too much is in files: " + std::to_string(scratch_memory());
    for (int n = 0; n < 40; ++n) {
      if (!tensors[static_cast<size_t>(n)].eq(n).all().item<bool>())
        return "tensor " + std::to_string(n) + " has changed";
    }
    if (peak_private_memory() > private_memory_limit()) return "the peak exceeds the limit";
    tensors.clear();
    give_back_free_memory();
    return scratch_memory() == 0 ? "" : "files are left: " + std::to_string(scratch_memory());
  });
}

TEST_F(MemoryLimitTest, KeepsLargeArraysInFilesToo) {
  expect_in_a_process([&]() -> std::string {
    limit_memory({tight_limit(), scratch_.path()});
    const LargeArray<int32_t> array(64 * kMiB);  // 256 MiB
    for (int64_t i = 0; i < 64 * kMiB; i += kMiB) array[i] = static_cast<int32_t>(i);
    for (int64_t i = 0; i < 64 * kMiB; i += kMiB) {
      if (array[i] != i) return "an entry has changed";
    }
    return scratch_memory() == 256 * kMiB ? "" : "not in a file";
  });
}

TEST_F(MemoryLimitTest, ReusesFreedTensorsBeforeFiles) {
  expect_in_a_process([&]() -> std::string {
    use_large_pages();
    limit_memory({tight_limit(), scratch_.path()});
    for (int64_t size = 2; size < 60; size += 3) at::ones({size * kMiB / 4});  // 2 to 59 MiB, 610 MiB one after another
    return scratch_memory() == 0 ? "" : "blocks of other sizes are kept, and files were needed";
  });
}

TEST_F(MemoryLimitTest, IsRefusedWhereTheProgramIsLarger) {
  expect_in_a_process([&]() -> std::string {
    try {
      limit_memory({kMiB, scratch_.path()});
    } catch (const Error& error) {
      const std::string what = error.what();
      const bool complete =
          what.starts_with("--memory-limit 1.0 MiB: the program itself takes ") && what.ends_with(" or more");
      return complete ? "" : what;
    }
    return "was accepted";
  });
}

TEST_F(MemoryLimitTest, RefusesFoldersInMemory) {
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "no /dev/shm";
  expect_in_a_process([]() -> std::string {
    try {
      limit_memory({int64_t{1} << 40, "/dev/shm"});
    } catch (const Error& error) {
      return std::string(error.what()).starts_with("/dev/shm: is in memory itself; --scratch names") ? ""
                                                                                                     : error.what();
    }
    return "was accepted";
  });
}

TEST_F(MemoryLimitTest, SaysThatTheDiskIsFull) {
  expect_in_a_process([&]() -> std::string {
    use_large_pages();
    limit_memory({tight_limit(), scratch_.path()});
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit no_files{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &no_files);
    try {
      at::ones({512 * kMiB});
    } catch (const std::exception& error) {
      const std::string what = error.what();
      const bool complete = what.starts_with(scratch_.path().string() + ": cannot hold 2.0 GiB in a temporary file: ");
      return complete ? "" : what;
    }
    return "was allocated";
  });
}

}  // namespace
}  // namespace geniepath
