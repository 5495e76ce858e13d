// embed and tune from a user's view.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "io/npy.h"
#include "io/safetensors.h"

namespace geniepath {
namespace {

using testing::Outcome;

class WalksCli : public testing::ProgramTest {
 protected:
  const std::string quick_ = "--data account-device --size 1000 --threads 1 ";
};

TEST_F(WalksCli, Node2VecIsARunLikeAnyOther) {
  const Outcome trained =
      run("train " + quick_ + "--model node2vec --hidden 8 --epochs 2 --walk-length 10 --q 0.5 --out a --json");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto result = nlohmann::json::parse(trained.out);
  EXPECT_EQ(result["model"], "node2vec");
  const Outcome evaluated = run("evaluate --run a --json");
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(nlohmann::json::parse(evaluated.out)["test"].dump(), result["test"].dump());
  ASSERT_EQ(run("train --config a/config.toml --threads 1 --out b").code, 0);
  EXPECT_EQ(read_text(scratch_ / "a/best.safetensors"), read_text(scratch_ / "b/best.safetensors"));
}

TEST_F(WalksCli, EmbeddingsComeBackFromEveryFormat) {
  ASSERT_EQ(run("train " + quick_ + "--task unsupervised --hidden 6 --depth 1 --epochs 2 --out a").code, 0);
  for (const char* kind : {"npy", "csv", "safetensors"}) {
    const Outcome written = run("embed --run a --out z." + std::string(kind));
    ASSERT_EQ(written.code, 0) << written.err;
  }
  const at::Tensor z = read_npy(scratch_ / "z.npy");
  EXPECT_EQ(z.sizes(), (std::vector<int64_t>{1000, 6}));
  EXPECT_GT(z.std().item<float>(), 0);
  EXPECT_TRUE(read_safetensors(scratch_ / "z.safetensors").tensors.at("embedding").equal(z));
  std::istringstream csv(read_text(scratch_ / "z.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "node,z0,z1,z2,z3,z4,z5");
  for (int64_t node = 0; node < 1000; ++node) {
    std::getline(csv, line);
    std::istringstream row(line.substr(line.find(',') + 1));
    for (int64_t k = 0; k < 6; ++k) {
      std::string number;
      std::getline(row, number, ',');
      ASSERT_EQ(std::stof(number), z[node][k].item<float>()) << line;
    }
  }
  expect_complaint("embed --run a --out z.txt", {"z.txt", ".npy, .csv or .safetensors"});
}

TEST_F(WalksCli, AnUnsupervisedRunIsResumedAsItWasBegun) {
  const std::string small = "train " + quick_ + "--hidden 6 --depth 1 ";
  ASSERT_EQ(run(small + "--task unsupervised --epochs 3 --out whole").code, 0);
  ASSERT_EQ(run(small + "--task unsupervised --epochs 2 --out cut").code, 0);
  const Outcome resumed = run(small + "--task unsupervised --epochs 3 --resume --out cut");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(read_text(scratch_ / "cut/best.safetensors"), read_text(scratch_ / "whole/best.safetensors"));
  ASSERT_EQ(run(small + "--epochs 2 --out labels").code, 0);
  expect_complaint(small + "--task unsupervised --epochs 3 --resume --out labels",
                   {"--objective \"walks\"", "was started with \"labels\""});
}

TEST_F(WalksCli, TuneStoppedAndContinuedGivesTheSameLines) {
  const std::string options = "tune " + quick_ +
                              "--hidden 4 --depth 1 --epochs 4 --least-epochs 1 --keep-one-in 2 --trials 4 --range "
                              "learning-rate=log:1e-3:1e-1 --range dropout=0:0.5 ";
  const Outcome whole = run(options + "--out whole");
  ASSERT_EQ(whole.code, 0) << whole.err;
  const std::string lines = read_text(scratch_ / "whole/trials.jsonl");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4 + 2 + 1);
  // As if stopped after the first rung's third trial, with a trial's folder lost.
  ASSERT_EQ(run(options + "--out cut").code, 0);
  size_t end = 0;
  for (int line = 0; line < 3; ++line) end = lines.find('\n', end) + 1;
  scratch_.write("cut/trials.jsonl", lines.substr(0, end));
  std::filesystem::remove_all(scratch_ / "cut/trials/0001-1");
  EXPECT_EQ(run(options + "--out cut").code, 2);
  const Outcome resumed = run(options + "--out cut --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(read_text(scratch_ / "cut/trials.jsonl"), lines);
  EXPECT_EQ(read_text(scratch_ / "cut/best.toml"), read_text(scratch_ / "whole/best.toml"));
  ASSERT_EQ(run("train --config whole/best.toml --threads 1 --out best").code, 0);
  expect_complaint(options + "--out cut --resume --depth 2", {"started with other options"});
}

TEST_F(WalksCli, ATrialsScoreIsTheMeanOverItsSeeds) {
  const std::string options = "tune " + quick_ + "--hidden 4 --depth 1 --epochs 2 --trials 1 --range dropout=0.1:0.2 ";
  const auto score = [&](const std::string& seeds, const std::string& folder) {
    const Outcome outcome = run(options + seeds + " --out " + folder);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("best score so far -1"), std::string::npos) << "before there is one: " << outcome.err;
    return nlohmann::json::parse(read_text(scratch_ / (folder + "/trials.jsonl"))).at("score").get<double>();
  };
  const double third = score("--seed 3", "third"), fourth = score("--seed 4", "fourth");
  EXPECT_NE(third, fourth);
  EXPECT_DOUBLE_EQ(score("--seed 3 --seeds 2", "both"), (third + fourth) / 2);
}

TEST_F(WalksCli, TuneSaysWhatIsWrongWithARange) {
  expect_complaint("tune " + quick_ + "--range dropout=0:1",
                   {"range 'dropout=0:1'", "expected 0 to below 1", "found 1"});
  expect_complaint("tune " + quick_ + "--range droput=0:1", {"'droput' is not an option", "did you mean 'dropout'?"});
  expect_complaint("tune " + quick_ + "--learning-rate 0.01 --hidden 4 --dropout 0 --depth 1 --weight-decay 0",
                   {"no ranges given"});
  scratch_.write("ranges.toml", "dropout = \"0:0.5\"\nhidden = \"log:4\"\n");
  expect_complaint("tune " + quick_ + "--ranges ranges.toml", {"hidden=log:4", "expected OPTION=LOW:HIGH"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "runs/tune/trials.jsonl"));
}

}  // namespace
}  // namespace geniepath
