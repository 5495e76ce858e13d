// `geniepath reproduce` end to end on small generated data.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "expect_error.h"
#include "real_data.h"
#include "reproduce/seed_list.h"

namespace geniepath {
namespace {

using cli::seed_list;
using testing::Outcome;

class Reproduce : public testing::ProgramTest {
 protected:
  nlohmann::json results(const std::string& table, const std::string& out = "out") const {
    return nlohmann::json::parse(read_text(scratch_ / (out + "/" + table + "/results.json")));
  }
  const std::string tiny_ = " --threads 1 --set size=1000 --set hidden=4 --set epochs=3 ";
  const std::string few_ = " --only account-device-mlp --only account-device-g --set depth=2" + tiny_;
};

TEST_F(Reproduce, ATableWithThePapersNumbersBesideOurs) {
  const Outcome outcome = run("reproduce table-transductive --seeds 2 --out out" + few_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("| GCN | 0.796 | 0."), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out, read_text(scratch_ / "out/table-transductive/table.md"));
  EXPECT_EQ(outcome.out.find(scratch_.path().string()), std::string::npos) << "no path of this machine";
  const auto found = results("table-transductive");
  EXPECT_EQ(found["cells"].size(), 8u);
  for (const auto& cell : found["cells"]) {
    EXPECT_EQ(cell["runs"].size(), 2u);
    const double first = cell["runs"][0]["test"], second = cell["runs"][1]["test"];
    EXPECT_DOUBLE_EQ(cell["mean"], (first + second) / 2);
    EXPECT_NEAR(cell["deviation"], std::abs(first - second) / std::sqrt(2.0), 1e-12);
    const auto kept = nlohmann::json::parse(
        read_text(scratch_ / ("out/" + cell["runs"][0]["folder"].get<std::string>() + "/result.json")));
    EXPECT_EQ(kept["test"]["f1"], cell["runs"][0]["test"]);
  }
  // One of GraphSAGE's three variants counts, and one of GeniePath's two: the best on the validation nodes.
  int64_t chosen = 0;
  double best = -1, picked = -1;
  for (const auto& cell : found["cells"]) {
    chosen += cell["chosen"].get<bool>();
    if (cell["method"] != "GraphSAGE*") continue;
    best = std::max(best, cell["valid"].get<double>());
    if (cell["chosen"]) picked = cell["valid"];
  }
  EXPECT_EQ(chosen, 5);
  EXPECT_EQ(picked, best);
  const std::string plot = read_text(scratch_ / "out/table-transductive/plot.svg");
  EXPECT_EQ(plot.rfind("<svg", 0), 0u);
  for (const char* part : {"GeniePath*", ">paper<", ">ours, mean ± s.d.<", "test f1", ">0.826<", "class='whisker'"}) {
    EXPECT_NE(plot.find(part), std::string::npos) << part;
  }
}

TEST(SeedList, IsANumberOfSeedsOrTheSeeds) {
  EXPECT_EQ(seed_list("3"), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(seed_list("7-7"), std::vector<int64_t>{7});
  EXPECT_EQ(seed_list("11-13,2,0"), (std::vector<int64_t>{11, 12, 13, 2, 0}));
  EXPECT_EQ(seed_list("1000").size(), 1000u);
  for (const char* text : {"", "0", "-1", "x", "3x", "1-", "1,,2", "5-3", "1-2-3", "1,", "99999999999999999999"}) {
    EXPECT_ERROR(seed_list(text), "or seeds such as 1-5,11-15, found '" + std::string(text) + "'");
  }
  EXPECT_ERROR(seed_list("1-5,3"), "--seeds: '1-5,3' has seed 3 twice");
  EXPECT_ERROR(seed_list("0-1000"), "--seeds: '0-1000' has more than 1000 seeds");
}

TEST_F(Reproduce, TheSeedsThatAreNamedAreRun) {
  ASSERT_EQ(run("reproduce table-transductive --seeds 12,3 --only account-device-mlp --out out" + tiny_).code, 0);
  const auto runs = results("table-transductive")["cells"][0]["runs"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0]["seed"], 12);
  EXPECT_EQ(runs[1]["seed"], 3);
  const std::string config = read_text(scratch_ / "out/runs/account-device-mlp/seed-12/config.toml");
  EXPECT_NE(config.find("data-seed = 12\n"), std::string::npos) << "a world of its own:\n" << config;
  expect_complaint("reproduce table-transductive --seeds 1,1 --out none" + tiny_, {"--seeds", "seed 1 twice"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "none"));
}

TEST_F(Reproduce, WhatIsFinishedIsNotRunAgainAndWhatWasStoppedGoesOn) {
  const std::string command =
      "reproduce table-transductive --seeds 2 --only account-device-geniepath --threads 1 "
      "--set size=1000 --set hidden=8 --set epochs=60 --out ";
  ASSERT_EQ(run(command + "whole").code, 0);
  const Outcome cut = run_until("cut/runs/account-device-geniepath/seed-1/last.safetensors", command + "cut");
  ASSERT_NE(cut.err.find("stopped"), std::string::npos) << cut.err;
  const Outcome rest = run(command + "cut");
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(rest.err.find("[1/4] account-device-geniepath seed 1  epoch 1/"), std::string::npos) << rest.err;
  const auto scores = [&](const char* out) {
    std::vector<double> all;
    const auto found = results("table-transductive", out);
    for (const auto& cell : found["cells"]) {
      for (const auto& seed : cell["runs"]) all.push_back(seed["test"]);
    }
    return all;
  };
  EXPECT_EQ(scores("cut"), scores("whole"));
  EXPECT_EQ(scores("cut").size(), 4u);
  const Outcome again = run(command + "cut");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.err.find("epoch"), std::string::npos) << "nothing is trained: " << again.err;
}

TEST_F(Reproduce, DepthAgainstScore) {
  const Outcome outcome =
      run("reproduce figure-depth --seeds 1 --depths 1,3 --only account-device-ge --out out" + tiny_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("| T = 1 | T = 3 |"), std::string::npos) << outcome.out;
  EXPECT_EQ(results("figure-depth")["cells"].size(), 4u);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "out/runs/account-device-geniepath/depth-3/seed-1/result.json"));
  EXPECT_NE(read_text(scratch_ / "out/figure-depth/plot.svg").find("depth T"), std::string::npos);
}

TEST_F(Reproduce, PathsOfOneNode) {
  const Outcome outcome =
      run("reproduce figure-paths --data ppi=account-device --set batch-graphs=0 --node 5 --out out" + tiny_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto found = results("figure-paths"), paths = found["explanation"];
  EXPECT_EQ(paths["node"], "5");
  EXPECT_EQ(paths["hops"], 2);
  EXPECT_EQ(paths["omitted"]["paths"], 0) << "the paper keeps all paths";
  // For the node and its neighbours, everything attended to in the first layer is listed, including the node itself.
  std::map<std::string, double> sum;
  for (const auto& node : paths["nodes"]) {
    if (node["hop"] < 2) sum[node["id"]] = node["self_alpha"][0];
  }
  for (const auto& edge : paths["edges"]) {
    sum.at(edge["target"]) += edge["alpha"][0].get<double>();
    EXPECT_GT(edge["laplacian"].get<double>(), 0);
    EXPECT_LE(edge["laplacian"].get<double>(), 1);
  }
  EXPECT_EQ(sum.count("5"), 1u);
  for (const auto& [target, alpha] : sum) EXPECT_NEAR(alpha, 1, 1e-5) << target;
}

TEST_F(Reproduce, PathsAreOfTheNodeAlsoWhereItsScoreDependsOnAllNodes) {
  const Outcome outcome =
      run("reproduce figure-paths --data ppi=account-device --set batch-graphs=0 --set depth=6 --node 5 "
          "--out out" +
          tiny_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(results("figure-paths")["explanation"]["node"], "5");
}

TEST_F(Reproduce, PathsAreCountedByLevelAndDrawnBesideTheLaplacian) {
  const Outcome outcome =
      run("reproduce figure-paths --data ppi=account-device --set batch-graphs=0 --out out" + tiny_);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, read_text(scratch_ / "out/figure-paths/table.md"));
  const auto found = results("figure-paths");
  std::map<std::string, int64_t> laplacian, alpha;
  for (const auto& edge : found["explanation"]["edges"]) {
    const auto level = [](double weight) { return weight < 0.1 ? "green" : weight < 0.2 ? "blue" : "red"; };
    ++laplacian[level(edge["laplacian"])], ++alpha[level(edge["alpha"][0])];
  }
  ASSERT_EQ(found["levels"].size(), 3u);
  for (const auto& level : found["levels"]) {
    EXPECT_EQ(level["laplacian"], laplacian[level["level"]]);
    EXPECT_EQ(level["alpha"], alpha[level["level"]]);
  }
  EXPECT_NE(outcome.out.find("| w < 0.1 | " + std::to_string(laplacian["green"]) + " | "), std::string::npos)
      << outcome.out;
  const std::string plot = read_text(scratch_ / "out/figure-paths/plot.svg");
  EXPECT_EQ(plot.rfind("<svg", 0), 0u);
  EXPECT_LT(plot.find("Graph Laplacian"), plot.find("Learned: α of layer 1 of 3"));
  EXPECT_NE(plot.find("Learned: α of layer 1 of 3"), std::string::npos);
}

TEST_F(Reproduce, SaysWhatIsWrong) {
  expect_complaint("reproduce table-9", {"table: 'table-9' is not one of ", "table-transductive"});
  for (const char* fixed : {"seed=4", "data=cora", "model=gcn", "out=x", "folds=3", "resume=true"}) {
    expect_complaint("reproduce table-inductive --set " + std::string(fixed), {"--set ", "decided by the table"});
  }
  expect_complaint("reproduce table-inductive --data cora=x", {"--data cora: table-inductive has no data of this name"});
  expect_complaint("reproduce table-inductive --depths 3", {"--depths applies only to figure-depth"});
  expect_complaint("reproduce table-inductive --node 3", {"--node applies only to figure-paths"});
  scratch_.write("presets/ppi-mlp.toml", "data = \"account-device\"\nmodel = \"mlp\"\n");
  expect_complaint("reproduce table-inductive --configs presets", {"ppi-mlp.toml: data: expected ppi, found account-device"});
  expect_complaint("reproduce figure-paths --seeds foo", {"--seeds", "found 'foo'"});
  expect_complaint("reproduce table-inductive --only nothing", {"nothing of table-inductive is left"});
  expect_complaint("reproduce table-inductive --set epochs", {"--set", "expected NAME=VALUE, found 'epochs'"});
  expect_complaint("reproduce table-inductive --configs nowhere", {"nowhere", "no presets here"});
  ASSERT_EQ(
      run("reproduce table-transductive --seeds 1 --only account-device-gcn --out out --set depth=2" + tiny_).code, 0);
  expect_complaint("reproduce table-transductive --seeds 1 --only account-device-gcn --out out --set depth=3" + tiny_,
                   {"--depth 3", "was started with 2"});
  expect_complaint(
      "reproduce table-transductive --seeds 1 --only account-device-gcn --out out --set depth=2 --set epochs=9 "
      "--threads 1 --set size=1000 --set hidden=4",
      {"--epochs 9", "was started with 3"});
}

TEST_F(Reproduce, SeedsTakePublishedSplitsInTurn) {
  REQUIRE_REAL_DATA(folder, "bitcoin-otc");
  const Outcome outcome = run("reproduce table-fraud --only bitcoin-otc-mlp --seeds 0,1,3,4 --set epochs=2 --threads 1 "
                              "--out out --data-dir " + folder.parent_path().string());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::map<std::string, std::string> splits{{"0", "2"}, {"1", "0"}, {"3", "2"}, {"4", "0"}};
  for (const auto& [seed, split] : splits) {
    const std::string config = read_text(scratch_ / ("out/runs/bitcoin-otc-mlp/seed-" + seed + "/config.toml"));
    EXPECT_NE(config.find("published-split = " + split + "\n"), std::string::npos) << "seed " << seed << "\n" << config;
  }
}

TEST_F(Reproduce, WhereTheDataLiesIsNoPartOfARun) {
  const std::string command = "reproduce table-transductive --seeds 1 --only account-device-gcn --set depth=2" + tiny_;
  const auto expect_read = [&](const std::string& options) {
    const Outcome outcome = run(command + options);
    EXPECT_EQ(outcome.code, 0) << options << outcome.err;
    EXPECT_EQ(outcome.err.find("epoch"), std::string::npos) << "nothing is trained: " << options << outcome.err;
  };
  ASSERT_EQ(run(command + "--out out --data-dir here").code, 0);
  expect_read("--out out --data-dir there");
  ASSERT_EQ(run("convert --data account-device --size 1000 --out moved.safetensors").code, 0);
  expect_read("--out out --data account-device=moved.safetensors");
  // The other way round: started from a file, which is then removed.
  ASSERT_EQ(run(command + "--out file --data account-device=moved.safetensors").code, 0);
  std::filesystem::remove(scratch_ / "moved.safetensors");
  expect_read("--out file");
  const Outcome resumed = run("train --resume --out file/runs/account-device-gcn/seed-1 --data account-device --size 1000 "
                              "--epochs 4 --threads 1");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  ASSERT_EQ(run("convert --data account-device --size 1000 --data-seed 2 --out other.safetensors").code, 0);
  expect_complaint(command + "--out out --data account-device=other.safetensors",
                   {"other.safetensors", "was started with account-device", "other data"});
}

}  // namespace
}  // namespace geniepath
