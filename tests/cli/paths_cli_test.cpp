// evaluate --paths, report, explain and compare on data whose true paths are known.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "geniepath/data.h"

namespace geniepath {
namespace {

using Json = nlohmann::json;
using testing::Outcome;

class PathsCli : public testing::ProgramTest {
 protected:
  void train(const std::string& model, const std::string& out, const std::string& options = "") const {
    const Outcome outcome =
        run("train --data known-paths --size 300 --steps 2 --keys 4 --values 3 --hidden 4 --depth 2 --epochs 3 "
            "--threads 1 --model " +
            model + " --out " + out + " " + options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  Json evaluated(const std::string& out, const std::string& options = "--paths --sample 20") const {
    const Outcome outcome = run("evaluate --json --threads 1 --run " + out + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }

  bool is_there(const char* file) const { return std::filesystem::exists(scratch_ / file); }
};

TEST_F(PathsCli, EvaluateMeasuresAttentionAndRecordsIt) {
  train("geniepath", "a");
  const Json plain = evaluated("a", "");
  EXPECT_FALSE(plain.contains("paths"));
  ASSERT_EQ(plain["path_lengths"].size(), 3u);
  EXPECT_EQ(plain["path_lengths"][2]["length"], 2);
  EXPECT_FALSE(is_there("a/paths.json"));
  const Json paths = evaluated("a")["paths"];
  EXPECT_EQ(paths["nodes"], 20);
  EXPECT_EQ(paths["hops"], 2) << "at most the depth";
  EXPECT_EQ(paths["entropy"].size(), 2u);
  EXPECT_EQ(paths["recovery"]["auc"].size(), 2u);
  EXPECT_EQ(paths["recovery"]["laplacian_auc"], 0.5);
  EXPECT_TRUE(paths["sentence"].get<std::string>().starts_with("Attention "));
  Json recorded = Json::parse(read_text(scratch_ / "a/paths.json"));
  recorded.erase("checksum"), recorded.erase("weights");
  EXPECT_EQ(recorded, paths);
  EXPECT_EQ(evaluated("a")["paths"], paths) << "the sample is a function of its seed";
  const Outcome text = run("evaluate --run a --paths --sample 20 --threads 1");
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part :
       {"path length", "Attention ", "Over 20 test nodes", "fidelity+", "path AUC", "share of the memory"}) {
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
  }
}

TEST_F(PathsCli, CompareShowsWhatWasMeasured) {
  train("geniepath", "a");
  train("gat", "b");
  train("gcn", "c");
  const auto compared = [&] { return run("compare a b c").out; };
  EXPECT_EQ(compared().find("path AUC"), std::string::npos);
  const Json a = evaluated("a")["paths"], b = evaluated("b")["paths"];
  EXPECT_FALSE(b.contains("fidelity")) << "gat attends without receptive paths";
  char figures[100];
  std::snprintf(figures, sizeof figures, "%.4f", a["recovery"]["best_auc"].get<double>());
  EXPECT_NE(compared().find(figures), std::string::npos) << compared();
  std::snprintf(figures, sizeof figures, "%.4f", b["recovery"]["best_auc"].get<double>());
  EXPECT_NE(compared().find(figures), std::string::npos) << compared();
  EXPECT_NE(compared().find("fidelity+"), std::string::npos);
  scratch_.write("b/paths.json", "{}");
  expect_complaint("compare a b", {"b/paths.json", "entropy"});
}

// Copied back, they are as old as if they had been written after the run was trained further.
// By the protocol and the metric that the run was trained for.
TEST_F(PathsCli, ScoresAreThoseOfTheRun) {
  std::string nodes = "id,amount,label\n", edges = "source,target\n";
  for (int n = 0; n < 60; ++n) {
    nodes += std::to_string(n) + "," + std::to_string(n % 7) + (n % 2 == 0 ? ",a|b\n" : n % 3 == 0 ? ",b|c\n" : ",c\n");
    for (const int step : {1, 2, 5}) edges += std::to_string(n) + "," + std::to_string((n + step) % 60) + "\n";
  }
  scratch_.write("nodes.csv", nodes), scratch_.write("edges.csv", edges);
  for (const std::string options : {"--threshold label-count", "--threshold label-count --metric macro_f1"}) {
    const Outcome outcome = run("train --edges edges.csv --nodes nodes.csv --hidden 4 --depth 2 --epochs 5 --threads 1 "
                                "--no-baselines --model geniepath --force --out m " + options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json found = evaluated("m"), even = found["paths"]["even"];
    EXPECT_DOUBLE_EQ(even["learned"], found["test"][even["metric"]]) << options;
    EXPECT_EQ(even["metric"] == "macro_f1", options.ends_with("macro_f1")) << even;
  }
}

TEST_F(PathsCli, CompareLeavesOutFiguresOfOtherWeights) {
  train("geniepath", "a");
  evaluated("a", "--paths --sample 5");
  std::filesystem::rename(scratch_ / "a/paths.json", scratch_ / "paths.json");
  ASSERT_EQ(run("train --resume --epochs 20 --threads 1 --out a").code, 0);
  std::filesystem::rename(scratch_ / "paths.json", scratch_ / "a/paths.json");
  const Outcome compared = run("compare a");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(compared.out.find("fidelity+"), std::string::npos) << compared.out;
  for (const char* part : {"left out a/paths.json", "other weights than best.safetensors holds"})
    EXPECT_NE(compared.err.find(part), std::string::npos) << compared.err;
  evaluated("a", "--paths --sample 5");
  EXPECT_NE(run("compare a").out.find("fidelity+"), std::string::npos);
}

TEST_F(PathsCli, OnlyAFinishedRunOnItsOwnDataIsRecorded) {
  train("geniepath", "a");
  evaluated("a", "--paths --sample 5 --data-seed 9");
  EXPECT_FALSE(is_there("a/paths.json")) << "other data";
  evaluated("a", "--paths --sample 5");
  ASSERT_TRUE(is_there("a/paths.json"));
  ASSERT_EQ(run("train --resume --epochs 5 --threads 1 --out a").code, 0);
  EXPECT_FALSE(is_there("a/paths.json")) << "of earlier weights";
  std::filesystem::remove(scratch_ / "a/result.json");
  const Outcome unfinished = run("evaluate --run a --paths --sample 5 --threads 1");
  EXPECT_EQ(unfinished.code, 0);
  EXPECT_NE(unfinished.err.find("not recorded in the run: the run is not finished"), std::string::npos)
      << unfinished.err;
  EXPECT_FALSE(is_there("a/paths.json"));
}

TEST_F(PathsCli, ReportAndExplainCompareWithTheTruth) {
  train("geniepath", "a");
  const Outcome report = run("report --run a --sample 10 --threads 1");
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_TRUE(is_there("a/paths.json"));
  const std::string page = read_text(scratch_ / "a/report.html");
  for (const char* part : {"Does attention matter", "By length of the true path", "Over 10 test nodes", "path AUC"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  ASSERT_EQ(run("explain --run a --node 7 --node 8 --threads 1 --out e.json").code, 0);
  for (const Json& one : Json::parse(read_text(scratch_ / "e.json")))
    EXPECT_TRUE(one["recovery"].contains("best_layer"));
  DataOptions world;
  world.data = "known-paths", world.size = 300, world.steps = 2, world.keys = 4, world.values = 3;
  const Dataset data = load_dataset(world);
  const auto node = std::ranges::find(data.path_length, 2) - data.path_length.begin();
  const std::string tree = run("explain --run a --threads 1 --hops 1 --node " + std::to_string(node)).out;
  EXPECT_NE(tree.find("by the Laplacian 0.500."), std::string::npos) << tree;
  EXPECT_EQ(tree.find("  true edge\n"), tree.rfind("  true edge\n")) << "one neighbour is right";
  EXPECT_NE(tree.find("  true edge\n"), std::string::npos) << tree;
}

TEST_F(PathsCli, SaysWhatIsWrong) {
  train("gcn", "c");
  expect_complaint("evaluate --run c --paths", {"--paths: expected a model that attends to neighbours", "found gcn"});
  expect_complaint("evaluate --run c --sample 5", {"--sample", "--paths"});
  expect_complaint("evaluate --run c --paths --sample 0", {"--sample", "expected 1 to 1000000", "found 0"});
  EXPECT_FALSE(is_there("c/paths.json"));
}

}  // namespace
}  // namespace geniepath
