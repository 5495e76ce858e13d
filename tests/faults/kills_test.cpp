// Commands killed at their n-th change to a file, then repeated: the result is bit-identical to that of an undisturbed
// command. A few n each by default; GENIEPATH_FAULTS=all tries every one.
#include "faults/faulty_program.h"

namespace geniepath {
namespace {

using testing::Outcome;

constexpr int kKilled = 128 + 9;

class Kills : public testing::FaultyProgram {
 protected:
  using Files = std::map<std::string, std::string>;

  // The files after an undisturbed command, and its number of changes.
  Files undisturbed(const std::string& arguments, int64_t& changes) const {
    make_case();
    const Outcome outcome = run_with("", arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    changes = counts()["change"];
    return contents("case");
  }

  void kill_at(int64_t n, const std::string& arguments) const {
    make_case();
    const Outcome killed = run_with("change:" + std::to_string(n) + "!", arguments);
    ASSERT_EQ(killed.code, kKilled) << killed.err;
    ++tried_;
  }

  void expect_same_after_kills(const std::string& arguments, const std::vector<std::string>& again) const {
    int64_t changes = 0;
    const Files whole = undisturbed(arguments, changes);
    ASSERT_GT(changes, 5);
    for (const int64_t n : chosen(changes, 2)) {
      SCOPED_TRACE("killed at change " + std::to_string(n) + " of " + std::to_string(changes) + ": " + arguments);
      kill_at(n, arguments);
      repair(again);
      EXPECT_EQ(contents("case"), whole);
    }
  }
};

TEST_F(Kills, OfTrain) {
  const std::string train = "train " + small_ + "--out case/new", resume = "train --resume --threads 1 --out case/new";
  expect_same_after_kills(train, {resume, train});
  if (all()) expect_same_after_kills(train, {train, resume});
}

TEST_F(Kills, OfTrainThatResumes) {
  const std::string longer = "train --resume --epochs 5 --threads 1 --out case/run";
  expect_same_after_kills(longer, {longer});
}

TEST_F(Kills, OfTrainThatReplacesARun) {
  const std::string replace = "train " + small_ + "--seed 5 --force --out case/run";
  int64_t changes = 0;
  const Files whole = undisturbed(replace, changes);
  make_case();
  const std::string old_scores = run("evaluate --run case/run").out;
  for (const int64_t n : chosen(changes, 3)) {
    SCOPED_TRACE("killed at change " + std::to_string(n) + " of " + std::to_string(changes));
    kill_at(n, replace);
    const Outcome loaded = run("evaluate --run case/run");
    if (loaded.code == 0 && loaded.out == old_scores) continue;
    repair({"train --resume --threads 1 --out case/run"});
    EXPECT_EQ(contents("case"), whole);
  }
}

TEST_F(Kills, OfTune) {
  const std::string tune =
      "tune " + model_ +
      "--epochs 2 --least-epochs 1 --keep-one-in 2 --trials 2 --range dropout=0:0.5 --winner-seeds 1 --out case/tune";
  expect_same_after_kills(tune, {tune + " --resume", tune});
}

TEST_F(Kills, OfReproduce) {
  const std::string reproduce =
      "reproduce table-transductive --seeds 1 --only account-device-mlp --threads 1 --set size=1000 --set hidden=4 "
      "--set depth=1 --set epochs=2 --out case/reproduce";
  expect_same_after_kills(reproduce, {reproduce});
}

TEST_F(Kills, OfPartition) {
  const std::string partition = "partition --data data.safetensors --pieces 3 --method stream --out case/pieces";
  expect_same_after_kills(partition, {partition + " --force"});
}

TEST_F(Kills, OfConvertAndPredict) {
  const std::string convert = "convert --data data.safetensors --out case/g.safetensors";
  expect_same_after_kills(convert, {convert});
  const std::string predict = "predict --run case/run --out case/p.csv";
  expect_same_after_kills(predict, {predict});
}

}  // namespace
}  // namespace geniepath
