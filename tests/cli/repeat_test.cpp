// Several runs in one command: train --seeds and --folds, tune with its winner, and compare over their folders.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/run_program.h"

namespace geniepath {
namespace {

using testing::Outcome;

class Repeat : public testing::ProgramTest {
 protected:
  const std::string small_ = "--data account-device --size 1000 --hidden 4 --depth 1 --epochs 3 --threads 1 ";
  nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read_text(scratch_ / file)); }
};

TEST_F(Repeat, SeedsHaveAFolderEachAndOneTable) {
  const Outcome outcome = run("train " + small_ + "--seed 7 --seeds 3 --out many");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const int seed : {7, 8, 9}) {
    const std::string name = "seed-" + std::to_string(seed);
    EXPECT_EQ(json("many/" + name + "/model.json")["train"]["seed"], seed);
    EXPECT_NE(outcome.out.find("\n" + name + "  "), std::string::npos) << outcome.out;
  }
  EXPECT_NE(outcome.out.find("\nmean  "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" ± "), std::string::npos) << outcome.out;
  ASSERT_EQ(run("train " + small_ + "--seed 8 --out alone").code, 0);
  EXPECT_EQ(json("alone/result.json")["test"], json("many/seed-8/result.json")["test"]);
}

TEST_F(Repeat, JsonHasMeansAndDeviations) {
  const Outcome outcome = run("train " + small_ + "--seeds 2 --json --out many");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(all["runs"].size(), 2u);
  const double a = all["runs"][0]["test"]["roc_auc"], b = all["runs"][1]["test"]["roc_auc"];
  EXPECT_NEAR(all["mean"]["roc_auc"], (a + b) / 2, 1e-12);
  EXPECT_NEAR(all["deviation"]["roc_auc"], std::abs(a - b) / std::sqrt(2.0), 1e-12);
}

TEST_F(Repeat, StoppedOnesContinueWhereTheyStopped) {
  ASSERT_EQ(run("train " + small_ + "--seeds 2 --out whole").code, 0);
  ASSERT_EQ(run("train " + small_ + "--seeds 2 --out many").code, 0);
  std::filesystem::remove_all(scratch_ / "many/seed-2");
  const std::string before = read_text(scratch_ / "many/seed-1/result.json");
  expect_complaint("train " + small_ + "--seeds 2 --out many", {"many/seed-1", "already"});
  const Outcome outcome = run("train " + small_ + "--seeds 2 --resume --out many");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_text(scratch_ / "many/seed-1/result.json"), before) << "finished runs are read";
  EXPECT_EQ(json("many/seed-2/result.json")["test"], json("whole/seed-2/result.json")["test"]);
  expect_complaint("train " + small_ + "--seeds 2 --out many/seed-1", {"holds a run itself"});
}

TEST_F(Repeat, FoldsTestEveryLabelledNodeOnce) {
  const Outcome outcome = run("train " + small_ + "--folds 3 --out folds");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::multiset<std::string> tested;
  for (const int fold : {1, 2, 3}) {
    const std::string name = "folds/fold-" + std::to_string(fold) + "-seed-1";
    const auto transforms = json(name + "/model.json")["transforms"];
    EXPECT_EQ(transforms["split"], "folds");
    EXPECT_EQ(transforms["fold"], fold);
    ASSERT_EQ(run("predict --run " + name + " --out p.csv --threads 1").code, 0);
    std::istringstream csv(read_text(scratch_ / "p.csv"));
    int train = 0, valid = 0;
    for (std::string line; std::getline(csv, line);) {
      if (line.ends_with(",test")) tested.insert(line.substr(0, line.find(',')));
      train += line.ends_with(",train"), valid += line.ends_with(",valid");
    }
    EXPECT_NEAR(train, valid, 2) << "a third each";
  }
  EXPECT_EQ(tested.size(), (std::set<std::string>(tested.begin(), tested.end()).size()));
  ASSERT_EQ(run("inspect --data account-device --size 1000 --json").code, 0);
  const std::string compared = run("compare folds").out;
  EXPECT_NE(compared.find("   3  geniepath"), std::string::npos) << compared;
  const Outcome one = run("train " + small_ + "--folds 3 --fold 2 --out one");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(json("one/result.json")["test"], json("folds/fold-2-seed-1/result.json")["test"]);
  expect_complaint("train " + small_ + "--fold 2 --out no", {"--fold does not apply"});
  expect_complaint("train " + small_ + "--folds 3 --fold 4 --out no", {"fold 4 of 3"});
}

TEST_F(Repeat, CompareNamesSortsAndSkips) {
  ASSERT_EQ(run("train " + small_ + "--model mlp --seeds 2 --out runs/mlp").code, 0);
  ASSERT_EQ(run("train " + small_ + "--model gcn --epochs 1 --learning-rate 0 --out runs/still").code, 0);
  ASSERT_EQ(run("train " + small_ + "--out runs/begun").code, 0);
  std::filesystem::remove(scratch_ / "runs/begun/result.json");
  const Outcome outcome = run("compare runs --sort roc_auc");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("skipped runs/begun: not finished, after epoch 3"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.rfind("run ", 0), 0u) << outcome.out;
  for (const char* name : {"runs/mlp/seed-1", "runs/mlp/seed-2", "runs/still"}) {
    EXPECT_NE(outcome.out.find("\n" + std::string(name) + " "), std::string::npos) << outcome.out;
  }
  const auto auc = [&](const std::string& name) {
    return json(name + "/result.json")["test"]["roc_auc"].get<double>();
  };
  const bool mlp_first = outcome.out.find("runs/mlp/seed-1") < outcome.out.find("runs/still");
  EXPECT_EQ(mlp_first, (auc("runs/mlp/seed-1") + auc("runs/mlp/seed-2")) / 2 >= auc("runs/still")) << outcome.out;
  const std::string as_given = run("compare runs/still runs/mlp --sort name").out;
  EXPECT_LT(as_given.find("runs/still"), as_given.find("runs/mlp/seed-1")) << as_given;
  expect_complaint("compare runs/begun", {"runs/begun: no finished run here"});
  std::filesystem::create_directory(scratch_ / "empty");
  expect_complaint("compare empty", {"empty: no run here"});
  const Outcome beside = run("compare empty runs/still");
  EXPECT_EQ(beside.code, 0);
  EXPECT_NE(beside.err.find("skipped empty: no run here"), std::string::npos) << beside.err;
  expect_complaint("compare runs --sort beauty", {"beauty"});
}

TEST_F(Repeat, CompareRefusesAResultOfOtherWeights) {
  ASSERT_EQ(run("train " + small_ + "--seed 1 --out a").code, 0);
  ASSERT_EQ(run("train " + small_ + "--seed 2 --out b").code, 0);
  ASSERT_EQ(run("compare a b").code, 0);
  std::filesystem::copy_file(scratch_ / "b/best.safetensors", scratch_ / "a/best.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  expect_complaint("compare a b", {"a/result.json: tells of other weights than best.safetensors holds"});
  EXPECT_EQ(run("evaluate --run a").code, 0);
}

TEST_F(Repeat, TuneHasUsualRangesATableAPlotAndTrainsTheWinner) {
  const std::string tune =
      "tune --data account-device --size 1000 --hidden 4 --epochs 2 --trials 4 --least-epochs 1 --keep-one-in 2 "
      "--threads 1 --winner-seeds 2 --out t";
  expect_complaint(tune + " --folds 3", {"expected --fold as well"});
  scratch_.write("empty.toml", "# none\n");
  expect_complaint(tune + " --ranges empty.toml", {"empty.toml: no ranges here"});
  expect_complaint(tune + " --ranges .", {"expected a file, found a folder"});
  const Outcome outcome = run(tune);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("range  learning-rate=log:"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("range  hidden"), std::string::npos) << "typed options are not searched\n" << outcome.err;
  EXPECT_EQ(outcome.out.rfind("trial  epochs  valid f1", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("\nmean  "), std::string::npos) << outcome.out;
  const std::string svg = read_text(scratch_ / "t/trials.svg");
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_NE(svg.find("learning-rate"), std::string::npos);
  EXPECT_NE(svg.find("<circle"), std::string::npos);
  EXPECT_EQ(json("t/winner/seed-2/model.json")["train"]["seed"], 2);
  const std::string before = read_text(scratch_ / "t/winner/seed-2/result.json");
  ASSERT_EQ(run(tune + " --resume").code, 0);
  EXPECT_EQ(read_text(scratch_ / "t/winner/seed-2/result.json"), before);
}

}  // namespace
}  // namespace geniepath
