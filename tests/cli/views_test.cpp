// Explanations, reports and tables from a trained run, on a graph of triangles with hostile names.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run_program.h"
#include "found_text.h"
#include "io/csv.h"

namespace geniepath {
namespace {

using testing::contains;
using testing::Outcome;

constexpr const char* kFormula = "=cmd|' /C calc'!A0";
constexpr const char* kColoured = "\x1b[31mred";

// Cliques of 6 in a row, each sharing a node with the next.
class Views : public testing::ProgramTest {
 protected:
  static constexpr int kNodes = 31;

  Views() {
    std::ostringstream nodes, edges;
    nodes << "id,type,x,y,label,split\n";
    edges << "src,dst\n";
    for (int node = 0; node < kNodes; ++node) {
      const char* split = node % 3 == 0 ? "train" : node % 3 == 1 ? "test" : "valid";
      nodes << cell(name(node)) << "," << (node % 2 == 0 ? "\"a, b\"" : "=1+1") << "," << node % 5 << "," << node % 7
            << "," << (node % 4 == 0 ? "bad" : "good") << "," << split << "\n";
    }
    for (int first = 0; first + 5 < kNodes; first += 5) {
      for (int i = first; i <= first + 5; ++i) {
        for (int j = first; j < i; ++j) edges << cell(name(j)) << "," << cell(name(i)) << "\n";
      }
    }
    scratch_.write("nodes.csv", nodes.str());
    scratch_.write("edges.csv", edges.str());
  }

  static std::string name(int node) {
    return node == 1 ? kFormula : node == 2 ? kColoured : node == 3 ? "-5" : "n" + std::to_string(node);
  }
  static std::string cell(const std::string& text) { return "\"" + text + "\""; }

  void train(const std::string& options = "--hidden 4 --depth 3 --epochs 2") const {
    const Outcome outcome =
        run("train --data tables --nodes nodes.csv --edges edges.csv --positive bad --threads 1 --out a " + options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  // The cells of a column, by its name.
  std::vector<std::string> column(const std::string& file, const std::string& name) const {
    CsvReader reader(scratch_ / file, ',');
    EXPECT_TRUE(reader.next());
    const auto heading = reader.fields();
    const auto at = static_cast<size_t>(std::find(heading.begin(), heading.end(), name) - heading.begin());
    EXPECT_LT(at, heading.size()) << name;
    std::vector<std::string> cells;
    while (reader.next()) cells.emplace_back(reader.fields()[at]);
    return cells;
  }
};

// Trained until attention is uneven, so that some neighbours are listed only behind others.
TEST_F(Views, EveryNodeIsExplainedInEveryForm) {
  train("--hidden 8 --depth 2 --epochs 150 --learning-rate 0.1");
  const std::string explain = "explain --run a --threads 1 --top 6 ";
  std::string all;
  for (int node = 4; node < kNodes; ++node) all += " --node " + name(node);
  const Outcome tree = run(explain + all);
  ASSERT_EQ(tree.code, 0) << tree.err;
  for (const char* file : {"e.json", "e.csv", "e.html"}) {
    const Outcome outcome = run(explain + all + " --out " + file);
    ASSERT_EQ(outcome.code, 0) << file << "\n" << outcome.err;
    const std::string text = read_text(scratch_ / file);
    for (int node = 4; node < kNodes; ++node) EXPECT_TRUE(contains(text, name(node))) << file;
  }
  for (const char* file : {"e.dot", "e.svg"}) {
    const Outcome outcome = run(explain + "--node n5 --out " + file);
    ASSERT_EQ(outcome.code, 0) << file << "\n" << outcome.err;
    EXPECT_TRUE(contains(read_text(scratch_ / file), "n5")) << file;
  }
  const Outcome report = run("report --run a --threads 1");
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_TRUE(contains(read_text(scratch_ / "a/report.html"), "Strongest paths"));
}

TEST_F(Views, AnExplanationSaysWhatDecided) {
  train();
  const std::string explain = "explain --run a --threads 1 --node n4 ";
  const Outcome tree = run(explain);
  ASSERT_EQ(tree.code, 0) << tree.err;
  EXPECT_TRUE(contains(tree.out, "lagged as bad, ")) << tree.out;
  EXPECT_TRUE(contains(tree.out, "own share")) << tree.out;
  ASSERT_EQ(run(explain + "--out e.json").code, 0);
  const auto json = nlohmann::json::parse(read_text(scratch_ / "e.json"));
  const auto& features = json["reasons"]["features"];
  double sum = features["gap"];
  for (const auto& column : features["columns"]) sum += column["own"].get<double>() + column["others"].get<double>();
  EXPECT_NEAR(sum, features["score"].get<double>() - features["typical"].get<double>(), 1e-4);
  EXPECT_EQ(features["columns"][0]["value"], "4") << "x and y of node 4";
  const std::string verdict = json["reasons"]["verdict"];
  EXPECT_TRUE(contains(tree.out, verdict)) << verdict;
  for (const char* file : {"e.svg", "e.html"}) {
    ASSERT_EQ(run(explain + "--out " + file).code, 0);
    EXPECT_TRUE(contains(read_text(scratch_ / file), "lagged as bad, ")) << file;
  }
}

TEST_F(Views, ClassesCanBeGivenOtherNames) {
  train();
  const std::string explain = "explain --run a --threads 1 --node n4 ";
  EXPECT_TRUE(contains(run(explain + "--class-names fine,rotten").out, "lagged as rotten, "));
  ASSERT_EQ(run("report --run a --threads 1 --sample 3 --class-names fine,rotten").code, 0);
  EXPECT_TRUE(contains(read_text(scratch_ / "a/report.html"), "predicted rotten"));
  ASSERT_EQ(run("predict --run a --threads 1 --out own.csv").code, 0);
  EXPECT_TRUE(read_text(scratch_ / "own.csv").starts_with("node,type,prediction,p_good,p_bad,"))
      << read_text(scratch_ / "own.csv");
  ASSERT_EQ(run("predict --run a --threads 1 --class-names fine,rotten --out named.csv").code, 0);
  const std::string named = read_text(scratch_ / "named.csv");
  EXPECT_TRUE(named.starts_with("node,type,prediction,p_fine,p_rotten,")) << named;
  EXPECT_FALSE(contains(named, "good") || contains(named, ",bad,")) << named;
  EXPECT_TRUE(contains(run("evaluate --run a --threads 1 --class-names fine,rotten").out, "rotten"));
  expect_complaint("predict --run a --class-names one --out no.csv", {"1 name, but the run has 2 classes"});
  expect_complaint(explain + "--class-names one", {"--class-names one: 1 name, but the run has 2 classes"});
  expect_complaint(explain + "--class-names same,same", {"'same' is given twice"});
  expect_complaint(explain + "--class-names a,", {"--class-names a,"});
  expect_complaint("serve --port 0 --run a --class-names a,b,c", {"3 names, but the run has 2 classes"});
  expect_complaint("serve --port 0 --run a --other nowhere", {"nowhere"});
}

TEST_F(Views, TablesHoldNoFormulaAndEveryCellInItsColumn) {
  train();
  ASSERT_EQ(run("predict --run a --threads 1 --out p.csv").code, 0);
  ASSERT_EQ(run("embed --run a --threads 1 --out z.csv").code, 0);
  ASSERT_EQ(run("explain --run a --threads 1 --node n4 --out e.csv").code, 0);
  const std::vector<std::string> types = column("p.csv", "type");
  for (const char* file : {"p.csv", "z.csv"}) {
    const std::vector<std::string> names = column(file, "node");
    ASSERT_EQ(names.size(), static_cast<size_t>(kNodes)) << file;
    EXPECT_EQ(names[1], std::string("'") + kFormula) << file;
    EXPECT_EQ(names[2], kColoured) << file;
    EXPECT_EQ(names[3], "-5") << file;
  }
  EXPECT_EQ(types[0], "a, b");
  EXPECT_EQ(types[1], "'=1+1");
  const std::vector<std::string> sources = column("e.csv", "source");
  EXPECT_NE(std::find(sources.begin(), sources.end(), std::string("'") + kFormula), sources.end());
  EXPECT_EQ(std::find(sources.begin(), sources.end(), kFormula), sources.end());
}

TEST_F(Views, NothingInANameReachesTheTerminal) {
  train();
  const auto expect_harmless = [](const std::string& text, const char* shown) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_TRUE(contains(text, shown)) << text;
  };
  const std::string quoted = std::string("'") + kColoured + "'";
  expect_harmless(run("explain --run a --threads 1 --node n4 --hops 1").out, "\\x1b[31mred");
  expect_harmless(run("explain --run a --threads 1 --node " + quoted).out, "\\x1b[31mred: ");
  expect_harmless(run("explain --run a --node '\x1b[2Jnobody'").err, "\\x1b[2Jnobody");
  expect_harmless(run("evaluate --run '\x1b[2Jnowhere'").err, "\\x1b[2Jnowhere");
  expect_harmless(run("explain --run 'two\nlines' --node 1").err, "two\\nlines");
  expect_harmless(run("predict --run a --threads 1 --out '\x1b[2Jp.csv'").err, "to \\x1b[2Jp.csv");
  expect_harmless(run("\x1b[2Jcommand").err, "'\\x1b[2Jcommand' is not a command");
  expect_harmless(run("compare '\x1b[2Jrun'").err, "\\x1b[2Jrun");
}

TEST_F(Views, AClassNameIsHarmlessInTablesToo) {
  std::string nodes = read_text(scratch_ / "nodes.csv");
  for (size_t at = nodes.find(",good,"); at != std::string::npos; at = nodes.find(",good,", at))
    nodes.insert(at + 1, "\x1b[31m");
  scratch_.write("nodes.csv", nodes);
  const Outcome trained = run(
      "train --data tables --nodes nodes.csv --edges edges.csv --hidden 4 --depth 1 --epochs 2 --threads 1 --out a");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(trained.out.find('\x1b'), std::string::npos) << trained.out;
  EXPECT_TRUE(contains(trained.out, "\\x1b[31mgood")) << trained.out;
}

// Commands that follow receptive paths run on the CPU; a GPU is refused as by train, not ignored.
TEST_F(Views, ADeviceIsUsedOrRefused) {
  train();
  ASSERT_EQ(run("explain --run a --node n4 --device cpu --threads 1").code, 0);
  const bool no_gpu = run("predict --run a --device cuda --out p.csv").code != 0;
  for (const char* command : {"explain --node n4", "report", "serve --port 0", "embed --out z.csv"}) {
    SCOPED_TRACE(command);
    expect_complaint(std::string(command) + " --run a --device gpu", {"device: 'gpu' is not one of cpu, cuda"});
    if (no_gpu) expect_complaint(std::string(command) + " --run a --device cuda", {"device: cuda", "--device cpu"});
  }
  if (no_gpu) return;
  for (const char* command : {"explain --node n4", "report", "serve --port 0"}) {
    expect_complaint(std::string(command) + " --run a --device cuda", {"only on the CPU; use --device cpu"});
  }
}

}  // namespace
}  // namespace geniepath
