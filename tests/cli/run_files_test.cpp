// Where commands write: folders with contents, outputs that are not plain files, two processes at once.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/run_program.h"

namespace geniepath {
namespace {

using testing::Outcome;

class RunFiles : public testing::ProgramTest {
 protected:
  void train(const std::string& arguments) const {
    const Outcome outcome = run(small_ + arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read_text(scratch_ / file)); }

  const std::string small_ = "train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 3 --threads 1 ";
};

TEST_F(RunFiles, AResumedRunShowsItsBestAndKeepsItsNumberOfEpochs) {
  train("--out a");
  const Outcome longer = run("train --resume --epochs 5 --threads 1 --out a");
  ASSERT_EQ(longer.code, 0) << longer.err;
  EXPECT_NE(longer.err.find("best 0."), std::string::npos) << longer.err;
  EXPECT_EQ(longer.err.find("best -1"), std::string::npos) << longer.err;
  EXPECT_EQ(json("a/model.json")["train"]["epochs"], 5);
  EXPECT_NE(read_text(scratch_ / "a/config.toml").find("epochs = 5\n"), std::string::npos);
  EXPECT_EQ(json("a/result.json")["epochs"], 5);
  expect_complaint("train --resume --epochs 4 --out a", {"--epochs 4", "has been trained for 5", "as many or more"});
}

TEST_F(RunFiles, WhatHasNoCheckpointYetStartsOver) {
  train("--out a");
  const std::string whole = read_text(scratch_ / "a/last.safetensors");
  for (const std::string& again : {std::string("train --resume --threads 1 --out a"), small_ + "--out a"}) {
    for (const char* file : {"last.safetensors", "best.safetensors", "result.json"}) {
      std::filesystem::remove(scratch_ / "a" / file);
    }
    const Outcome outcome = run(again);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("no checkpoint yet: it starts over"), std::string::npos) << outcome.err;
    EXPECT_EQ(read_text(scratch_ / "a/last.safetensors"), whole);
  }
}

TEST_F(RunFiles, WhatHasNoCheckpointYetCannotBeUsed) {
  train("--out a");
  for (const char* file : {"last.safetensors", "best.safetensors"}) std::filesystem::remove(scratch_ / "a" / file);
  for (const char* command : {"evaluate --run a", "predict --run a --out scores.csv", "explain --run a --node 0"}) {
    expect_complaint(command, {"a: the run has no checkpoint yet", "train --resume"});
  }
}

TEST_F(RunFiles, TheBestWeightsAreRestoredFromTheLastCheckpoint) {
  train("--out a");
  const std::string weights = read_text(scratch_ / "a/best.safetensors");
  std::filesystem::remove(scratch_ / "a/best.safetensors");
  for (const char* command : {"evaluate --run a", "explain --run a --node 0"})
    expect_complaint(command, {"a/best.safetensors: missing", "train --resume --out a restores"});
  ASSERT_EQ(run("train --resume --threads 1 --out a").code, 0);
  EXPECT_EQ(read_text(scratch_ / "a/best.safetensors"), weights);
}

TEST_F(RunFiles, AFolderInUseIsLeftAlone) {
  train("--out a");
  scratch_.write("a/.lock", "process 1234 on elsewhere since 2026-01-02 03:04:05 UTC\n");
  const int held = ::open((scratch_ / "a/.lock").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  for (const std::string& command :
       {small_ + "--force --out a", std::string("train --resume --out a"), std::string("tune --out a"),
        std::string("reproduce table-transductive --only account-device-mlp --out a")}) {
    expect_complaint(command, {"a: in use by process 1234 on elsewhere since 2026-01-02 03:04:05 UTC", "wait for it"});
  }
  EXPECT_EQ(run("evaluate --run a").code, 0) << "who only reads need not wait";
  ::close(held);
  EXPECT_EQ(run("train --resume --out a").code, 0);
}

TEST_F(RunFiles, AStartThatFailsKeepsTheOldRun) {
  train("--out a");
  const std::string before = read_text(scratch_ / "a/best.safetensors");
  expect_complaint(small_ + "--force --threshold label-count --out a", {"label-count is for multi-label tasks"});
  expect_complaint(small_ + "--force --learning-rate 100 --l2 1000 --precision f32 --data nowhere --out a",
                   {"nowhere"});
  EXPECT_EQ(read_text(scratch_ / "a/best.safetensors"), before);
  EXPECT_EQ(run("evaluate --run a").code, 0);
  EXPECT_EQ(run("train --resume --out a").code, 0);
  EXPECT_EQ(read_text(scratch_ / "a/best.safetensors"), before);
}

TEST_F(RunFiles, RunsAndPartitionsDoNotShareAFolder) {
  const std::string divide = "partition --data known-paths --size 500 --method stream --out ";
  train("--out a");
  expect_complaint(divide + "a --force", {"a: holds a run; choose another folder"});
  ASSERT_EQ(run(divide + "pieces").code, 0);
  expect_complaint(small_ + "--force --out pieces", {"pieces: holds a partition; choose another folder"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "pieces/model.json"));
}

TEST_F(RunFiles, FeaturesArePreparedAsInTraining) {
  const std::string standardised = "--feature-transform standardise --out ";
  train(standardised + "a");
  train("--data-seed 2 " + standardised + "b");
  const std::string own = read_text(scratch_ / "a/transforms.safetensors");
  scratch_.write("a/transforms.safetensors", read_text(scratch_ / "b/transforms.safetensors"));
  expect_complaint("predict --run a --out p.csv", {"a/transforms.safetensors: not the file that the run was trained with"});
  std::filesystem::remove(scratch_ / "a/transforms.safetensors");
  expect_complaint("evaluate --run a", {"a/transforms.safetensors: missing", "prepares its features by it"});
  scratch_.write("a/transforms.safetensors", own);
  EXPECT_EQ(run("evaluate --run a").code, 0);
}

TEST_F(RunFiles, OutputsThatAreNoPlainFiles) {
  train("--out a");
  ASSERT_EQ(run("predict --run a --out p.csv").code, 0);
  const std::string rows = read_text(scratch_ / "p.csv");
  const Outcome printed = run("predict --run a --out /dev/stdout");
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(printed.out, rows);
  EXPECT_NE(printed.err.find(" rows to standard output\n"), std::string::npos) << printed.err;
  EXPECT_EQ(run("predict --run a --out /dev/stdout | cat").out, rows);
  EXPECT_EQ(run("predict --run a --out - | cat").out, rows);
  std::filesystem::create_symlink("p.csv", scratch_ / "link.csv");
  std::filesystem::remove(scratch_ / "p.csv");
  EXPECT_EQ(run("predict --run a --out link.csv").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(scratch_ / "link.csv"));
  EXPECT_EQ(read_text(scratch_ / "p.csv"), rows);
  ASSERT_EQ(::mkfifo((scratch_ / "g.safetensors").c_str(), 0600), 0);
  EXPECT_EQ(run("convert --data account-device --size 1000 --out g.safetensors; code=$?; wait; exit $code",
                "{ cat g.safetensors > g & };").code, 0);
  EXPECT_EQ(run("convert --data account-device --size 1000 --out h.safetensors").code, 0);
  EXPECT_EQ(read_text(scratch_ / "g"), read_text(scratch_ / "h.safetensors"));
}

TEST_F(RunFiles, AFileBeyondTheLimitOnItsSizeIsRefusedWhole) {
  train("--out a");
  const Outcome outcome = run("predict --run a --out p.csv", "ulimit -f 1; ");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("p.csv: cannot write"), std::string::npos) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("p.csv")) << entry.path();
  }
}

TEST_F(RunFiles, PlacesThatCannotBeWrittenAreTheUsersMistake) {
  train("--out a");
  std::filesystem::create_directories(scratch_ / "folder.csv");
  std::filesystem::create_symlink("loop", scratch_ / "loop");
  scratch_.write("file", "x");
  expect_complaint("predict --run a --out folder.csv", {"folder.csv: is a folder; name a file in it"});
  expect_complaint("predict --run a --out /dev/zero", {"/dev/zero: is a device"});
  expect_complaint("predict --run a --out nowhere/p.csv", {"nowhere/p.csv: cannot write: No such file"});
  expect_complaint("report --run a --out folder.csv", {"is a folder"});
  expect_complaint("explain --run a --node 1 --out folder.csv", {"is a folder"});
  expect_complaint("embed --run a --out folder.csv", {"is a folder"});
  expect_complaint("convert --data account-device --out nowhere/g.safetensors",
                   {"nowhere/g.safetensors: cannot write"});
  expect_complaint("evaluate --run loop", {"loop", "symbolic links"});
  expect_complaint("compare loop", {"loop", "symbolic links"});
  expect_complaint("tune --data account-device --size 1000 --range dropout=0:0.5 --out file/t",
                   {"file/t: cannot create the folder"});
  expect_complaint(small_ + "--out loop", {"loop", "symbolic links"});
  const Outcome full = run("datasets", "to_full_disk() { \"$@\" > /dev/full; }; to_full_disk");
  EXPECT_EQ(full.code, 2);
  EXPECT_NE(full.err.find("geniepath: standard output: cannot write"), std::string::npos) << full.err;
}

}  // namespace
}  // namespace geniepath
