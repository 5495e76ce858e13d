// Runs in folders with an earlier run: stopped, replaced, trained further.
#include "run/replaced_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "expect_error.h"
#include "io/safetensors.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath {
namespace {

class ReplacedRun : public ::testing::Test {
 protected:
  RunDescription description(int64_t epochs, int64_t seed = 1) const {
    RunDescription run;
    run.model.hidden = 4;
    run.model.depth = 1;
    run.train.epochs = epochs;
    run.train.learning_rate = 0.05;
    run.train.seed = seed;
    run.task = data_.task;
    run.features = data_.features.num_features();
    run.classes = data_.num_classes;
    return run;
  }

  TrainResult train_new(const RunFolder& folder, int64_t epochs, const TrainHooks& hooks = {}, int64_t seed = 1) const {
    const RunDescription run = description(epochs, seed);
    folder.create(run, {}, true);
    return train(data_, run, folder, hooks);
  }

  std::string read(const std::string& name) const { return read_text(scratch_ / name); }

  testing::ScratchFolder scratch_;
  const Dataset data_ = testing::ring_data();
  const RunFolder folder_{scratch_ / "a"};
};

// The first epoch followed by two epochs without improvement and a later one with.
int64_t before_a_pause(const std::vector<bool>& best) {
  for (size_t epoch = 1; epoch + 2 < best.size(); ++epoch) {
    if (best[epoch] || best[epoch + 1]) continue;
    if (std::find(best.begin() + static_cast<int64_t>(epoch) + 2, best.end(), true) != best.end()) {
      return static_cast<int64_t>(epoch);
    }
  }
  return 0;
}

// As left by a process killed when best.safetensors is from a later epoch than last.safetensors.
TEST_F(ReplacedRun, TheBestWeightsAreThoseOfTheEpochTheySay) {
  std::vector<bool> best;
  train_new(folder_, 60, {[&](const EpochRecord& record) { best.push_back(record.best); }, {}});
  const int64_t stop = before_a_pause(best);
  ASSERT_GT(stop, 0) << "the scores only rise: this test needs another training";
  train_new(RunFolder(scratch_ / "cut"), stop);
  train_new(RunFolder(scratch_ / "whole"), stop + 2);
  std::filesystem::copy_file(scratch_ / "a/best.safetensors", scratch_ / "cut/best.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  const TrainResult resumed = train(data_, description(stop + 2), RunFolder(scratch_ / "cut"), {}, true);
  EXPECT_EQ(read_safetensors(scratch_ / "cut/best.safetensors").metadata.at("epoch"),
            std::to_string(resumed.best_epoch));
  EXPECT_EQ(read("cut/best.safetensors"), read("whole/best.safetensors"));
  EXPECT_EQ(read("cut/last.safetensors"), read("whole/last.safetensors"));
}

TEST_F(ReplacedRun, AResumedRunKnowsItsBest) {
  train_new(folder_, 30);
  std::vector<EpochRecord> records;
  train(data_, description(31), folder_, {[&](const EpochRecord& record) { records.push_back(record); }, {}}, true);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_GT(records[0].best_value, 0);
  EXPECT_GT(records[0].best_epoch, 0);
}

TEST_F(ReplacedRun, WithoutACheckpointItStartsOver) {
  train_new(RunFolder(scratch_ / "whole"), 5);
  folder_.create(description(5), {}, false);
  scratch_.write("a/metrics.jsonl", "{\"epoch\": 1}\n{\"ep");
  train(data_, description(5), folder_, {}, true);
  EXPECT_EQ(read("a/last.safetensors"), read("whole/last.safetensors"));
  const std::string lines = read("a/metrics.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5);
  EXPECT_NO_THROW(RunFolder(scratch_ / "begun").create(description(5), {}, false));
  EXPECT_NO_THROW(RunFolder(scratch_ / "begun").create(description(5), {}, false)) << "nothing to keep";
  EXPECT_ERROR(folder_.create(description(5), {}, false), "already holds a run");
}

TEST_F(ReplacedRun, TheOldRunStaysUntilTheFirstCheckpointOfTheNew) {
  train_new(folder_, 5);
  scratch_.write("a/result.json", "{}");
  scratch_.write("a/paths.json", "{}");
  scratch_.write("a/notes.txt", "mine");
  const std::string old = read("a/best.safetensors");
  const auto expect_old = [&](const EpochRecord&) {
    EXPECT_EQ(read("a/best.safetensors"), old);
    EXPECT_EQ(folder_.description().train.seed, 1);
    EXPECT_NO_THROW(load_model(folder_));
  };
  const TrainResult stopped = train_new(folder_, 5, {expect_old, [] { return true; }}, 7);
  EXPECT_TRUE(stopped.interrupted);
  expect_old({});  // it was stopped before its first epoch
  train_new(folder_, 5, {expect_old, {}}, 7);
  EXPECT_EQ(folder_.description().train.seed, 7);
  train_new(RunFolder(scratch_ / "fresh"), 5, {}, 7);
  EXPECT_EQ(read("a/best.safetensors"), read("fresh/best.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "a/result.json"));
  EXPECT_EQ(read("a/notes.txt"), "mine");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch_ / "a"), {}), 5) << "and four files of the run";
}

TEST_F(ReplacedRun, ARunThatTrainsOnHasNoResultUntilItIsFinished) {
  train_new(folder_, 5);
  scratch_.write("a/result.json", "{}");
  scratch_.write("a/paths.json", "{}");
  const auto expect_none = [&](const EpochRecord&) {
    for (const char* file : {"a/result.json", "a/paths.json"})
      EXPECT_FALSE(std::filesystem::exists(scratch_ / file)) << file;
  };
  train(data_, description(5), folder_, {expect_none, {}}, true);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a/result.json")) << "there was nothing to train";
  train(data_, description(8), folder_, {expect_none, {}}, true);
  expect_none({});
}

TEST_F(ReplacedRun, AReplacementThatWasKilledIsFinished) {
  train_new(folder_, 5);
  train_new(RunFolder(scratch_ / "b"), 5, {}, 7);
  const std::string new_weights = read("b/best.safetensors");
  std::filesystem::rename(scratch_ / "b", scratch_ / "a/.removing");
  std::filesystem::remove(scratch_ / "a/model.json");
  EXPECT_ERROR(folder_.description(), "interrupted while one run replaced another; continue with train --resume");
  run::tidy_up(folder_);
  EXPECT_EQ(folder_.description().train.seed, 7);
  EXPECT_EQ(read("a/best.safetensors"), new_weights);
}

}  // namespace
}  // namespace geniepath
