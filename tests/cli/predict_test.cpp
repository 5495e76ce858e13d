// `geniepath predict` decides labels by the rule that the run was scored with.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/random.h"
#include "cli/run_program.h"

namespace geniepath {
namespace {

using testing::Outcome;

constexpr int kNodes = 120, kLabels = 3;

// Three rare labels, each more likely where its feature is large: at 0.5 hardly any is predicted.
class Predict : public testing::ProgramTest {
 protected:
  Predict() {
    Random random{7};
    std::ostringstream nodes, edges;
    nodes << "id,x0,x1,x2,l0,l1,l2,split\n";
    edges << "src,dst\n";
    for (int node = 0; node < kNodes; ++node) {
      nodes << node;
      double x[kLabels];
      for (double& value : x) nodes << "," << (value = random.uniform());
      for (int label = 0; label < kLabels; ++label) {
        has_[node][label] = x[label] * random.uniform() > 0.45;
        nodes << "," << has_[node][label];
      }
      nodes << "," << (is_test(node) ? "test" : node % 3 == 1 ? "valid" : "train") << "\n";
      edges << node << "," << (node + 3) % kNodes << "\n";
    }
    scratch_.write("nodes.csv", nodes.str());
    scratch_.write("edges.csv", edges.str());
  }

  static bool is_test(int node) { return node % 3 == 2; }

  nlohmann::json train(const std::string& options) {
    const Outcome outcome =
        run("train --data tables --nodes nodes.csv --edges edges.csv --id-column id --label-column "
            "l0,l1,l2 --split-column split --hidden 4 --depth 1 --epochs 20 --threads 1 --json " +
            options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }

  // Over all decisions about test nodes.
  double f1_of(const std::string& file) const {
    std::istringstream csv(read_text(scratch_ / file));
    std::string line;
    std::getline(csv, line);
    double right = 0, predicted = 0, true_ones = 0;
    for (int node = 0; std::getline(csv, line); ++node) {
      const size_t from = line.find(',') + 1;
      const std::string labels = line.substr(from, line.find(',', from) - from);
      for (int label = 0; is_test(node) && label < kLabels; ++label) {
        const bool says = labels.find("l" + std::to_string(label)) != std::string::npos;
        right += says && has_[node][label], predicted += says, true_ones += has_[node][label];
      }
    }
    return predicted + true_ones == 0 ? 0 : 2 * right / (predicted + true_ones);
  }

  // `explain` names the labels of `table`, which predict wrote; the sets of labels among the first nodes.
  std::set<std::string> expect_explained(const std::string& table) const {
    std::istringstream csv(read_text(scratch_ / table));
    std::string line;
    std::getline(csv, line);
    std::set<std::string> seen;
    for (int node = 0; node < 8 && std::getline(csv, line); ++node) {
      EXPECT_EQ(run("explain --run a --node " + std::to_string(node) + " --out node.json").code, 0);
      std::string labels;
      const auto explained = nlohmann::json::parse(read_text(scratch_ / "node.json"))["nodes"][0];
      EXPECT_EQ(explained["id"], std::to_string(node));
      for (const std::string label : explained["predicted"]) labels += (labels.empty() ? "" : ";") + label;
      const size_t from = line.find(',') + 1;
      EXPECT_EQ(labels, line.substr(from, line.find(',', from) - from)) << node;
      seen.insert(labels);
    }
    return seen;
  }

  bool has_[kNodes][kLabels]{};
};

TEST_F(Predict, LabelsAboveTheRunsTunedThreshold) {
  const auto result = train("--threshold tuned --out a");
  EXPECT_EQ(result["protocol"], "tuned");
  EXPECT_NE(result["threshold"].get<double>(), 0.5);
  EXPECT_GT(result["test"]["micro_f1"].get<double>(), 0);
  const Outcome outcome = run("predict --run a --out tuned.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the threshold tuned on validation nodes"), std::string::npos) << outcome.err;
  EXPECT_NEAR(f1_of("tuned.csv"), result["test"]["micro_f1"], 1e-12);
  // A stopped run, or one from before thresholds were recorded: the threshold is determined as by evaluate.
  std::filesystem::remove(scratch_ / "a/result.json");
  ASSERT_EQ(run("predict --run a --out anew.csv").code, 0);
  EXPECT_EQ(read_text(scratch_ / "anew.csv"), read_text(scratch_ / "tuned.csv"));
}

TEST_F(Predict, LabelsAboveHalfOtherwise) {
  const auto result = train("--threshold 0.5 --out a");
  EXPECT_EQ(result["threshold"], 0.5);
  const Outcome outcome = run("predict --run a --out half.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("above 0.5\n"), std::string::npos) << outcome.err;
  EXPECT_NEAR(f1_of("half.csv"), result["test"]["micro_f1"], 1e-12);
}

TEST_F(Predict, TheNumberOfLabelsIsNotKnown) {
  const auto result = train("--threshold label-count --out a");
  const Outcome outcome = run("predict --run a --out count.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("is unknown here"), std::string::npos) << outcome.err;
  int tuned = 0;
  for (const auto& protocol : result["protocols"]) {
    if (protocol["protocol"] != "tuned") continue;
    ++tuned;
    EXPECT_EQ(protocol["threshold"], result["threshold"]);
    EXPECT_NEAR(f1_of("count.csv"), protocol["test"]["micro_f1"], 1e-12);
  }
  EXPECT_EQ(tuned, 1);
}

TEST_F(Predict, NeedsNoLabelsAndNoSplit) {
  train("--out a");
  scratch_.write("bare.csv", "x2,id,x0,x1\n0.5,7,0.25,0.75\n0.1,8,0.9,0.3\n");
  scratch_.write("pair.csv", "src,dst\n7,8\n");
  const Outcome bare = run("predict --run a --nodes bare.csv --edges pair.csv --out bare_scores.csv");
  ASSERT_EQ(bare.code, 0) << bare.err;
  const std::string table = read_text(scratch_ / "bare_scores.csv");
  EXPECT_EQ(table.rfind("node,prediction,p_l0,p_l1,p_l2\n7,", 0), 0u) << table;
  ASSERT_EQ(run("predict --run a --out own.csv").code, 0);
  const std::string own = read_text(scratch_ / "own.csv");
  EXPECT_EQ(own.substr(0, own.find('\n')), "node,prediction,p_l0,p_l1,p_l2,label,split");
  std::istringstream lines(own);
  std::string line;
  std::getline(lines, line), std::getline(lines, line);
  std::string labels;
  for (int label = 0; label < kLabels; ++label) {
    if (has_[0][label]) labels += (labels.empty() ? "l" : ";l") + std::to_string(label);
  }
  EXPECT_TRUE(line.ends_with("," + labels + ",train")) << line;
}

TEST_F(Predict, ADrawnSplitOfOtherDataIsNotShown) {
  std::string people = "id,x,label\n", pairs = "src,dst\n";
  for (int n = 0; n < 40; ++n)
    people += std::to_string(n) + "," + std::to_string(n % 7) + (n % 2 == 0 ? ",a\n" : ",b\n");
  for (int n = 0; n < 40; ++n) pairs += std::to_string(n) + "," + std::to_string((n + 1) % 40) + "\n";
  scratch_.write("people.csv", people);
  scratch_.write("pairs.csv", pairs);
  ASSERT_EQ(
      run("train --nodes people.csv --edges pairs.csv --hidden 4 --depth 1 --epochs 2 --no-baselines --out a").code, 0);
  ASSERT_EQ(run("predict --run a --out own.csv").code, 0);
  scratch_.write("more.csv", people + "40,3,a\n");
  ASSERT_EQ(run("predict --run a --nodes more.csv --edges pairs.csv --out other.csv").code, 0);
  EXPECT_EQ(read_text(scratch_ / "own.csv").rfind("node,prediction,p_a,p_b,label,split\n", 0), 0u);
  EXPECT_EQ(read_text(scratch_ / "other.csv").rfind("node,prediction,p_a,p_b,label\n", 0), 0u);
}

TEST_F(Predict, ExplainSaysTheSameLabels) {
  const auto result = train("--threshold tuned --out a");
  ASSERT_NE(result["threshold"], 0.5);
  ASSERT_EQ(run("predict --run a --out scores.csv").code, 0);
  EXPECT_GT(expect_explained("scores.csv").size(), 1u);
}

TEST_F(Predict, AnUnfinishedRunDecidesAlikeInEveryCommand) {
  const auto result = train("--threshold tuned --out a");
  ASSERT_NE(result["threshold"], 0.5);
  scratch_.write("new.csv", "id,x0,x1,x2\nn0,0.9,0.1,0.5\nn1,0.2,0.8,0.9\nn2,0.7,0.6,0.4\n");
  ASSERT_EQ(run("score --run a --nodes new.csv --out finished.csv").code, 0);
  std::filesystem::remove(scratch_ / "a/result.json");
  ASSERT_EQ(run("predict --run a --out scores.csv").code, 0);
  EXPECT_GT(expect_explained("scores.csv").size(), 1u);
  ASSERT_EQ(run("score --run a --nodes new.csv --out unfinished.csv").code, 0);
  EXPECT_EQ(read_text(scratch_ / "unfinished.csv"), read_text(scratch_ / "finished.csv"));
}

// Test nodes keep their features and labels, so that their scores are those of the training at its threshold.
TEST_F(Predict, OtherDataIsScoredAtTheRunsThreshold) {
  const auto result = train("--threshold tuned --out a");
  const std::string own = read_text(scratch_ / "nodes.csv");
  const auto with_valid = [&](const std::string& labels, const std::string& split) {
    std::istringstream rows(own);
    std::string row, all;
    while (std::getline(rows, row)) {
      const bool is_valid = row.ends_with(",valid");
      all += (is_valid ? row.substr(0, row.size() - std::string("0,0,0,valid").size()) + labels + split : row) + "\n";
    }
    scratch_.write("other.csv", all);
  };
  for (const auto& [labels, split] : {std::pair("1,1,1", ",valid"), std::pair("0,0,1", ",train")}) {
    with_valid(labels, split);
    const Outcome outcome = run("evaluate --run a --nodes other.csv --json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(found["test"]["micro_f1"], result["test"]["micro_f1"]) << split;
    for (const auto& protocol : found["protocols"]) {
      if (protocol["protocol"] != "tuned") continue;
      EXPECT_EQ(protocol["threshold"], result["threshold"]) << split;
    }
  }
}

}  // namespace
}  // namespace geniepath
