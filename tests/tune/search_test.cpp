#include <gtest/gtest.h>

#include <set>

#include "base/file.h"
#include "expect_error.h"
#include "scratch_folder.h"
#include "tune/halving.h"
#include "tune/search_space.h"

namespace geniepath::tune {
namespace {

SearchSpace space(const std::vector<std::string>& texts) {
  std::vector<Range> ranges;
  for (const std::string& text : texts) ranges.push_back(Range::parse(text));
  return {ranges, RunDescription()};
}

TEST(SearchSpace, DrawsWithinTheRanges) {
  const SearchSpace all = space({"learning-rate=log:1e-4:1e-1", "dropout=0:0.8", "hidden=choice:16,64", "depth=1:3",
                                 "bias=choice:true,false", "residual=choice:none,hop", "p=choice:0.25,4"});
  std::set<int64_t> depths, widths;
  int below = 0;
  for (int64_t trial = 0; trial < 300; ++trial) {
    const RunDescription run = all.with(all.draw(1, trial));
    EXPECT_GE(run.train.learning_rate, 1e-4);
    EXPECT_LE(run.train.learning_rate, 1e-1);
    EXPECT_LE(run.model.dropout, 0.8);
    below += run.train.learning_rate < std::sqrt(1e-4 * 1e-1);
    depths.insert(run.model.depth);
    widths.insert(run.model.hidden);
  }
  EXPECT_NEAR(below, 150, 35) << "half of them below the middle of the logarithms";
  EXPECT_EQ(depths, (std::set<int64_t>{1, 2, 3}));
  EXPECT_EQ(widths, (std::set<int64_t>{16, 64}));
  EXPECT_EQ(all.draw(1, 7), all.draw(1, 7));
  EXPECT_NE(all.draw(1, 7), all.draw(2, 7));
}

TEST(SearchSpace, AGridHasEveryCombinationOnce) {
  const SearchSpace grid = space({"p=choice:0.25,1,4", "q=choice:0.5,2"});
  ASSERT_EQ(grid.grid_size(), 6);
  std::set<std::string> points;
  for (int64_t trial = 0; trial < 6; ++trial) points.insert(grid.grid_point(trial).dump());
  EXPECT_EQ(points.size(), 6u);
  EXPECT_EQ(grid.grid_point(1).dump(), R"({"p":0.25,"q":2.0})");
  EXPECT_FALSE(grid.changes_preparation());
  EXPECT_TRUE(space({"feature-scale=1:20"}).changes_preparation());
}

TEST(SearchSpace, RefusesBadRanges) {
  EXPECT_ERROR(space({"hidden=1:99999999999999999999"}), "hidden takes whole numbers of at most 2^53");
  EXPECT_ERROR(space({"hidden=choice:99999999999999999999"}), "expected whole numbers of at most 2^53");
  EXPECT_ERROR(space({"seed=1:5"}), "the search decides on seed itself (--seeds)");
  EXPECT_ERROR(Range::parse("dropout"), "range 'dropout': expected OPTION=LOW:HIGH");
  EXPECT_ERROR(Range::parse("dropout=1"), "expected OPTION=LOW:HIGH");
  EXPECT_ERROR(Range::parse("dropout=a:1"), "range 'dropout=a:1': expected a number, found 'a'");
  EXPECT_ERROR(Range::parse("dropout=0.8:0.1"), "the low end 0.8 is above the high end 0.1");
  EXPECT_ERROR(Range::parse("l2=log:0:1"), "expected a low end above 0 for a logarithm, found 0");
  EXPECT_ERROR(Range::parse("hidden=choice:16,,64"), "a choice is empty");
  EXPECT_ERROR(space({}), "no ranges given");
  EXPECT_ERROR(space({"droput=0:1"}), "'droput' is not an option of the model");
  EXPECT_ERROR(space({"size=1000:2000"}), "'size' is not an option of the model");
  EXPECT_ERROR(space({"dropout=0:1"}), "range 'dropout=0:1': options: dropout: expected 0 to below 1, found 1");
  EXPECT_ERROR(space({"depth=1.5:3"}), "depth takes whole numbers");
  EXPECT_ERROR(space({"depth=choice:1,x"}), "expected a number, found 'x'");
  EXPECT_ERROR(space({"residual=0:1"}), "residual is not a number; give choices instead");
  EXPECT_ERROR(space({"residual=choice:none,some"}), "'some' is not one of none, hop, input");
  EXPECT_ERROR(space({"bias=choice:yes"}), "expected true or false, found 'yes'");
  EXPECT_ERROR(space({"depth=1:2", "depth=3:4"}), "depth has a range already");
  EXPECT_ERROR(space({"depth=1:2"}).grid_size(), "a grid takes only choices");
}

TEST(Halving, PlansRungs) {
  const auto rungs = plan_rungs(27, 90, 10, 3);
  ASSERT_EQ(rungs.size(), 3u);
  EXPECT_EQ(rungs[0].epochs, 10);
  EXPECT_EQ(rungs[0].trials, 27);
  EXPECT_EQ(rungs[1].epochs, 30);
  EXPECT_EQ(rungs[1].trials, 9);
  EXPECT_EQ(rungs[2].epochs, 90);
  EXPECT_EQ(rungs[2].trials, 3);
  EXPECT_EQ(plan_rungs(5, 8, 10, 3).size(), 1u) << "too few epochs to cut";
  EXPECT_EQ(plan_rungs(1, 1, 1, 2).size(), 1u);
  EXPECT_EQ(plan_rungs(2, 100, 1, 3).back().trials, 1);
}

// A trial's score converges with its epochs.
std::optional<TrialResult> fake_trial(int64_t trial, int64_t rung, int64_t epochs) {
  const double end = 0.1 * static_cast<double>((trial * 7) % 10);
  return TrialResult{trial, rung, epochs, end + 0.0001 * static_cast<double>(epochs), ""};
}

TEST(Halving, KeepsTheBestAndStoppedGoesOnToTheSameLines) {
  testing::ScratchFolder scratch;
  const auto rungs = plan_rungs(9, 9, 1, 3);
  const auto best = run_halving(rungs, scratch / "whole.jsonl", fake_trial);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->trial, 7);
  EXPECT_EQ(best->epochs, 9);
  const std::string whole = read_text(scratch / "whole.jsonl");
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 9 + 3 + 1);
  for (int stop = 0; stop < 13; ++stop) {
    const auto path = scratch / ("cut" + std::to_string(stop) + ".jsonl");
    int runs = 0;
    const auto some = [&](int64_t trial, int64_t rung, int64_t epochs) {
      return runs++ == stop ? std::nullopt : fake_trial(trial, rung, epochs);
    };
    EXPECT_FALSE(run_halving(rungs, path, some));
    scratch.write(path.filename().string(), read_text(path) + "{\"trial\": 4, \"ru");  // truncated during writing
    EXPECT_EQ(run_halving(rungs, path, fake_trial)->trial, 7);
    EXPECT_EQ(read_text(path), whole);
  }
}

TEST(Halving, SaysWhichLineIsWrong) {
  testing::ScratchFolder scratch;
  scratch.write("a.jsonl", "{\"trial\": 0, \"rung\": 0, \"epochs\": 1, \"score\": 0.5}\n{\"trial\": 1}\n");
  EXPECT_ERROR(run_halving(plan_rungs(3, 1, 1, 2), scratch / "a.jsonl", fake_trial), "a.jsonl:2: ");
  scratch.write("b.jsonl", "trial\n");
  EXPECT_ERROR(run_halving(plan_rungs(3, 1, 1, 2), scratch / "b.jsonl", fake_trial), "b.jsonl:1: not JSON");
  const std::string line = R"({"trial": 1, "rung": 0, "epochs": 1, "score": 0.5})";
  for (const char* other : {R"({"trial": 3, "rung": 0, "epochs": 1, "score": 0.5})",
                            R"({"trial": 1, "rung": -1, "epochs": 1, "score": 0.5})",
                            R"({"trial": 2, "rung": 0, "epochs": 1, "score": 1e300})"}) {
    scratch.write("c.jsonl", line + "\n" + other + "\n");
    EXPECT_ERROR(run_halving(plan_rungs(3, 1, 1, 2), scratch / "c.jsonl", fake_trial), "c.jsonl:2: rung");
  }
  scratch.write("c.jsonl", line + "\n" + line + "\n");
  EXPECT_ERROR(run_halving(plan_rungs(3, 1, 1, 2), scratch / "c.jsonl", fake_trial), "is there twice");
}

TEST(Halving, AFailedTrialIsTheWorst) {
  testing::ScratchFolder scratch;
  const auto fails = [](int64_t trial, int64_t rung, int64_t epochs) {
    auto result = fake_trial(trial, rung, epochs);
    if (trial == 7) result->score = -1, result->error = "the loss is not a number";
    return result;
  };
  EXPECT_EQ(run_halving(plan_rungs(9, 9, 1, 3), scratch / "a.jsonl", fails)->trial, 4);
}

TEST(Halving, ALastRungThatFailedAsAWholeIsTriedAgain) {
  testing::ScratchFolder scratch;
  const auto rungs = plan_rungs(9, 9, 1, 3);
  const auto short_of_memory = [&](int64_t trial, int64_t rung, int64_t epochs) {
    auto result = fake_trial(trial, rung, epochs);
    if (rung + 1 == std::ssize(rungs)) result->score = -1, result->error = "out of memory";
    return result;
  };
  EXPECT_LT(run_halving(rungs, scratch / "a.jsonl", short_of_memory)->score, 0);
  int runs = 0;
  const auto counted = [&](int64_t trial, int64_t rung, int64_t epochs) {
    return ++runs, fake_trial(trial, rung, epochs);
  };
  EXPECT_EQ(run_halving(rungs, scratch / "a.jsonl", counted)->trial, 7);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(run_halving(rungs, scratch / "a.jsonl", counted)->trial, 7);
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace geniepath::tune
