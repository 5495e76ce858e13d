#include "geniepath/tensor_memory.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <vector>

namespace geniepath {
namespace {

int64_t resident_bytes() {
  int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// Zeroing unused memory made the first epoch of a run slow.
TEST(TensorMemory, TakesLittleMoreThanIsAskedForAndGivesItBack) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer keeps freed memory in quarantine";
#endif
  use_large_pages();
  constexpr int64_t kTensors = 100, kFloats = 320000;
  constexpr int64_t kBytes = kTensors * kFloats * static_cast<int64_t>(sizeof(float));
  for (int round = 0; round < 2; ++round) {
    give_back_free_memory();
    const int64_t before = resident_bytes();
    std::vector<at::Tensor> tensors;
    for (int64_t n = 0; n < kTensors; ++n) tensors.push_back(at::full({kFloats}, static_cast<double>(n)));
    EXPECT_GT(resident_bytes() - before, kBytes * 9 / 10) << "round " << round;
    EXPECT_LT(resident_bytes() - before, kBytes * 5 / 4) << "round " << round;
    for (int64_t n = 0; n < kTensors; ++n) ASSERT_TRUE(tensors[static_cast<size_t>(n)].eq(n).all().item<bool>());
    tensors.clear();
    give_back_free_memory();
    EXPECT_LT(resident_bytes() - before, kBytes / 10) << "round " << round;
  }
}

// Pages that go back to the system are zeroed anew when they return: a third of an epoch's time, once.
TEST(TensorMemory, KeepsWhatWasInUseAtOnceAndNoMore) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer keeps freed memory in quarantine";
#endif
  use_large_pages();
  give_back_free_memory();
  constexpr int64_t kFloats = int64_t{5} << 20, kTensors = 30;
  constexpr int64_t kBytes = kTensors * kFloats * static_cast<int64_t>(sizeof(float));
  const int64_t before = resident_bytes();
  for (int64_t floats = kFloats; floats < kFloats + (int64_t{4} << 20); floats += int64_t{1} << 20) {
    std::vector<at::Tensor> tensors;
    for (int64_t n = 0; n < kTensors; ++n) tensors.push_back(at::ones({floats}));
    tensors.clear();
    EXPECT_GT(resident_bytes() - before, kBytes * 9 / 10) << "all of it is kept";
  }
  EXPECT_LT(resident_bytes() - before, kBytes * 9 / 5) << "sizes seen earlier do not pile up";
  give_back_free_memory();
  EXPECT_LT(resident_bytes() - before, kBytes / 10);
}

}  // namespace
}  // namespace geniepath
