// Files that change or break during use: one line and exit code 2, never a signal.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "cli/run_program.h"

namespace geniepath {
namespace {

using testing::Outcome;

class Damage : public testing::ProgramTest {};

// The file is truncated once the first epoch is recorded. `env`: the program is started anew, as a fork of a test with
// two threads may find a lock of the allocator held for ever.
TEST_F(Damage, AGraphFileCutShortWhileItIsReadEndsTheRun) {
  ASSERT_EQ(run("convert --data account-device --size 4000 --out g.safetensors").code, 0);
  const auto graph = scratch_ / "g.safetensors", metrics = scratch_ / "run/metrics.jsonl";
  std::thread cutter([&] {
    for (int tries = 0; tries < 2000; ++tries) {
      if (std::ifstream(metrics).peek() != std::ifstream::traits_type::eof()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::filesystem::resize_file(graph, 4096);
  });
  const std::string train = "train --data g.safetensors --model geniepath --hidden 4 --depth 1 --epochs 100000 ";
  const Outcome outcome = run(train + "--threads 1 --out run", "env ");
  cutter.join();
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("geniepath: g.safetensors: can no longer be read: it was truncated"), std::string::npos)
      << outcome.err;
}

TEST_F(Damage, IsSaidByEveryCommandThatReadsTheRun) {
  ASSERT_EQ(run("train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 1 --threads 1 --out run").code,
            0);
  const auto weights = scratch_ / "run/best.safetensors";
  std::string bytes = read_text(weights);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 4);
  scratch_.write("run/best.safetensors", bytes);
  expect_complaint("evaluate --run run", {"best.safetensors: damaged"});
  expect_complaint("predict --run run --out scores.csv", {"best.safetensors: damaged"});
  expect_complaint("embed --run run --out z.npy", {"best.safetensors: damaged"});
  expect_complaint("explain --run run --node 17", {"best.safetensors: damaged"});
  expect_complaint("report --run run --out report.html", {"best.safetensors: damaged"});
  for (const char* file : {"scores.csv", "z.npy", "report.html"})
    EXPECT_FALSE(std::filesystem::exists(scratch_ / file)) << file;
}

TEST_F(Damage, OfAGraphFileIsSaidUnlessItIsNotAskedFor) {
  ASSERT_EQ(run("convert --data account-device --size 1000 --out g.safetensors").code, 0);
  std::string bytes = read_text(scratch_ / "g.safetensors");
  const size_t at = bytes.size() / 2;
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  scratch_.write("g.safetensors", bytes);
  expect_complaint("inspect --data g.safetensors", {"g.safetensors: damaged", "checksum"});
  EXPECT_EQ(run("inspect --data g.safetensors --no-verify").code, 0);
}

}  // namespace
}  // namespace geniepath
