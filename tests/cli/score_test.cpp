// `geniepath score`: new rows join the graph that a run was trained on.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.h"
#include "cli/run_program.h"
#include "kernels/cpu/matmul.h"

namespace geniepath {
namespace {

using testing::Outcome;

constexpr int kKnown = 160, kNew = 6;

class Score : public testing::ProgramTest {
 protected:
  Score() {
    scratch_.write("people.csv", heading() + rows(0, kKnown, true));
    scratch_.write("all.csv", heading() + rows(0, kKnown, true) + rows(kKnown, kKnown + kNew, false));
    scratch_.write("new.csv", "id,joined,amount,country\n" + rows(kKnown, kKnown + kNew, false, ""));
    scratch_.write("knows.csv", "src,dst\n" + known_edges());
    scratch_.write("new_edges.csv", "src,dst\n" + kNewEdges);
    scratch_.write("all_edges.csv", "src,dst\n" + known_edges() + kNewEdges);
  }

  static std::string heading() { return "id,joined,amount,country,label,split\n"; }

  static std::string rows(int begin, int end, bool labelled, const std::string& unlabelled = ",,") {
    std::ostringstream text;
    for (int n = begin; n < end; ++n) {
      Random random{static_cast<uint64_t>(n)};
      text << "p" << n << ",2024-0" << 1 + n % 9 << "-11," << 100 * random.uniform() << ","
           << (n % 3 == 0 ? "Chile" : "Peru");
      if (labelled) {
        text << "," << (n % 2 == 0 ? "good" : "bad") << "," << (n % 4 == 3 ? "valid" : n % 5 == 0 ? "test" : "train");
      } else {
        text << unlabelled;
      }
      text << "\n";
    }
    return text.str();
  }
  static std::string known_edges() {
    std::ostringstream text;
    for (int n = 0; n < kKnown; ++n) text << "p" << n << ",p" << (n * 7 + 2) % kKnown << "\n";
    return text.str();
  }
  // To the graph and among each other; the last row has none.
  const std::string kNewEdges = "p160,p3\np161,p160\np5,p162\np163,p5\np164,p3\np164,p5\n";

  void train(const std::string& options) const {
    const Outcome outcome =
        run("train --nodes people.csv --edges knows.csv --hidden 8 --epochs 4 --no-baselines --threads 1 "
            "--out a " +
            options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  std::vector<std::string> lines(const std::string& file) const {
    std::istringstream text(read_text(scratch_ / file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  static std::string first_cells(const std::string& line, int count) {
    size_t end = 0;
    for (int cell = 0; cell < count; ++cell) end = line.find(',', end + 1);
    return line.substr(0, end);
  }

  // Two new rows of a run on ten rows without ids.
  void expect_numbers_from_ten(const std::string& edges, const std::string& options, const std::string& new_edges) {
    scratch_.write("plain.csv", "x,label\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n9,a\n0,b\n");
    scratch_.write("pairs.csv", edges);
    ASSERT_EQ(run("train --nodes plain.csv --edges pairs.csv --id-column row --hidden 4 --depth 1 --epochs 2 "
                  "--no-baselines --out b" + options)
                  .code,
              0);
    scratch_.write("next.csv", "x\n4\n5\n");
    scratch_.write("next_edges.csv", new_edges);
    const Outcome outcome = run("score --run b --nodes next.csv --edges next_edges.csv --out s.csv");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto found = lines("s.csv");
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[1].rfind("10,", 0), 0u) << found[1];
    EXPECT_EQ(found[2].rfind("11,", 0), 0u) << found[2];
  }
};

// CPU time, which depends less on what else the machine does: the least of three processes.
class ScoreSpeed : public Score {
 protected:
  double cpu_seconds(const std::string& arguments) const {
    double least = 1e9;
    for (int n = 0; n < 3; ++n) {
      const double before = of_children();
      EXPECT_EQ(run(arguments, "env ").code, 0) << arguments;
      least = std::min(least, of_children() - before);
    }
    return least;
  }

 private:
  static double of_children() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }
};

// On two cores 2,000 rows per second are 1 ms of CPU time each.
TEST_F(ScoreSpeed, IsThatOfTheStartForOneRowAndLessThanAMillisecondForEachOfMany) {
  constexpr int kMany = 3000;
  train("");
  std::string edges = "src,dst\n";
  for (int n = 0; n < kMany; ++n) edges += "p" + std::to_string(kKnown + n) + ",p" + std::to_string(n % kKnown) + "\n";
  scratch_.write("many.csv", "id,joined,amount,country\n" + rows(kKnown, kKnown + kMany, false, ""));
  scratch_.write("many_edges.csv", edges);
  const double start = cpu_seconds("--version");
  const double one = cpu_seconds("score --run a --nodes new.csv --edges new_edges.csv --out s.csv");
  const double many = cpu_seconds("score --run a --nodes many.csv --edges many_edges.csv --out s.csv");
  EXPECT_LT(one, 2 * start);
  EXPECT_LT((many - one) / kMany, 1e-3);
}

TEST_F(Score, GivesTheDigitsOfPredictOnTheJoinedGraph) {
  if (!kernels::cpu::has_matmul<float>()) GTEST_SKIP() << "products without oneDNN differ in the last bit";
  for (const char* model : {"geniepath", "geniepath-lazy", "gcn", "graphsage-lstm"}) {
    for (const char* directed : {"", " --directed"}) {
      SCOPED_TRACE(std::string(model) + directed);
      train("--force --depth 2 --model " + std::string(model) + directed);
      const Outcome outcome = run("score --run a --nodes new.csv --edges new_edges.csv --out scores.csv --threads 1");
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      ASSERT_EQ(run("predict --run a --nodes all.csv --edges all_edges.csv --out all_scores.csv --threads 1").code, 0);
      const auto found = lines("scores.csv"), expected = lines("all_scores.csv");
      ASSERT_EQ(found.size(), 1u + kNew);
      EXPECT_EQ(found[0], "node,prediction,p_bad,p_good");
      ASSERT_EQ(expected.size(), 1u + kKnown + kNew);
      for (size_t n = 0; n < kNew; ++n) EXPECT_EQ(found[1 + n], first_cells(expected[1 + kKnown + n], 4));
    }
  }
}

TEST_F(Score, WritesOverNothingThatItReads) {
  train("");
  std::filesystem::create_symlink(scratch_ / "people.csv", scratch_ / "link.csv");
  for (const auto& [command, found] : std::vector<std::pair<std::string, std::string>>{
           {"score --run a --nodes new.csv --out new.csv", "--out new.csv: data is read from this file"},
           {"score --run a --nodes new.csv --edges new_edges.csv --out new_edges.csv", "data is read from this file"},
           {"score --run a --nodes new.csv --out knows.csv", "data is read from this file"},
           {"predict --run a --out link.csv", "--out link.csv: data is read from this file"},
           {"predict --run a --nodes all.csv --edges all_edges.csv --out all.csv", "data is read from this file"},
           {"predict --run a --out a/model.json", "--out a/model.json: a file of the run"},
           {"embed --run a --out a/best.safetensors", "a file of the run"},
           {"explain --run a --node p1 --out a/result.json", "a file of the run"},
           {"report --run a --out a/metrics.jsonl", "a file of the run"}}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_NE(outcome.err.find(found), std::string::npos) << command << "\n" << outcome.err;
  }
  EXPECT_EQ(lines("people.csv").size(), 1u + kKnown);
  EXPECT_EQ(lines("new.csv").size(), 1u + kNew);
  EXPECT_EQ(run("predict --run a --out a/predictions.csv").code, 0);
}

TEST_F(Score, ClassesCanBeGivenOtherNames) {
  train("");
  ASSERT_EQ(
      run("score --run a --nodes new.csv --edges new_edges.csv --class-names rotten,fine --threads 1 --out s.csv").code,
      0);
  EXPECT_EQ(lines("s.csv").at(0), "node,prediction,p_rotten,p_fine");
  EXPECT_TRUE(lines("s.csv").at(1).starts_with("p160,rotten,") || lines("s.csv").at(1).starts_with("p160,fine,"))
      << lines("s.csv").at(1);
  expect_complaint("score --run a --nodes new.csv --class-names one --out no.csv",
                   {"1 name, but the run has 2 classes"});
}

TEST_F(Score, NoEdgeMatchedIsAnError) {
  train("");
  scratch_.write("strange.csv", "src,dst\nq1,q2\nq3,p160\n");
  const Outcome outcome = run("score --run a --nodes new.csv --edges strange.csv --unknown-nodes skip --out s.csv");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("none of the 2 edges joins a new row"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "s.csv"));
}

TEST_F(Score, EvaluatingWithoutLabelsIsAnError) {
  train("");
  scratch_.write("plain.csv", "id,joined,amount,country\n" + rows(0, kKnown, false, ""));
  const Outcome outcome = run("evaluate --run a --nodes plain.csv --edges knows.csv");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(
      outcome.err.find(
          "option label-column: no node table has a column 'label'; the columns are: id, joined, amount, country"),
      std::string::npos)
      << outcome.err;
  expect_complaint("evaluate --run a --label-column lable",
                   {"option label-column: no node table has a column 'lable'; the columns are: id, joined, amount, "
                    "country, label, split; "
                    "did you mean 'label'?"});
  expect_complaint("predict --run a --label-column lable --out p.csv", {"no node table has a column 'lable'"});
  scratch_.write("empty.csv", heading() + rows(0, kKnown, false));
  expect_complaint("evaluate --run a --nodes empty.csv --edges knows.csv",
                   {"no labelled validation or test node", "--label-column"});
}

TEST_F(Score, RowsJoinTheGraphSoManyAtOnce) {
  train("--depth 2");
  const std::string heading = "id,joined,amount,country\n";
  scratch_.write("two.csv", heading + rows(163, 165, false, ""));
  scratch_.write("edges.csv", "src,dst\np163,p5\np164,p3\np164,p5\n");
  std::string alone = "node,prediction,p_bad,p_good\n";
  for (const int n : {163, 164}) {
    scratch_.write("one.csv", heading + rows(n, n + 1, false, ""));
    ASSERT_EQ(
        run("score --run a --nodes one.csv --edges edges.csv --unknown-nodes skip --out one_score.csv --threads 1")
            .code,
        0);
    alone += lines("one_score.csv").at(1) + "\n";
  }
  ASSERT_EQ(run("score --run a --nodes two.csv --edges edges.csv --out together.csv --threads 1").code, 0);
  ASSERT_EQ(run("score --run a --nodes two.csv --edges edges.csv --rows-at-once 1 --out apart.csv --threads 1").code,
            0);
  EXPECT_EQ(read_text(scratch_ / "apart.csv"), alone);
  EXPECT_NE(read_text(scratch_ / "together.csv"), alone) << "both are joined to p5";
}

TEST_F(Score, AnEdgeToALaterBatchIsAnErrorOrSkipped) {
  train("--depth 1");
  const std::string command = "score --run a --nodes new.csv --edges new_edges.csv --rows-at-once 1 --out scores.csv";
  expect_complaint(command, {"new_edges.csv:3: the id 'p161' is neither a node of the graph nor the row",
                             "'p160', which is scored alone"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "scores.csv"));
  const Outcome skipped = run(command + " --unknown-nodes skip");
  EXPECT_EQ(skipped.code, 0) << skipped.err;
  EXPECT_NE(skipped.err.find("edges  6 read, 1 skipped, 0 among nodes of the graph"), std::string::npos) << skipped.err;
  expect_complaint(command + " --unknown-nodes add", {"add needs all new rows at once"});
}

TEST_F(Score, UnknownNodesMayBeAddedWithoutFeatures) {
  if (!kernels::cpu::has_matmul<float>()) GTEST_SKIP() << "products without oneDNN differ in the last bit";
  train("--depth 2 --unknown-nodes add");
  scratch_.write("more.csv", "src,dst\np160,stranger\nstranger,p161\n");
  ASSERT_EQ(run("score --run a --nodes new.csv --edges more.csv --out scores.csv --threads 1").code, 0);
  scratch_.write("more_all.csv", "src,dst\n" + known_edges() + "p160,stranger\nstranger,p161\n");
  ASSERT_EQ(run("predict --run a --nodes all.csv --edges more_all.csv --out all_scores.csv --threads 1").code, 0);
  const auto found = lines("scores.csv"), expected = lines("all_scores.csv");
  ASSERT_EQ(found.size(), 1u + kNew);
  for (size_t n = 0; n < kNew; ++n) EXPECT_EQ(found[1 + n], first_cells(expected[1 + kKnown + n], 4));
}

TEST_F(Score, AddedNodesMayBeJoinedToTheGraphAndToEachOther) {
  if (!kernels::cpu::has_matmul<float>()) GTEST_SKIP() << "products without oneDNN differ in the last bit";
  train("--depth 3 --unknown-nodes add");
  const std::string more = "far,p7\np3,near\nnear,far\nnear,p160\n";
  scratch_.write("more.csv", "src,dst\n" + more);
  const Outcome outcome = run("score --run a --nodes new.csv --edges more.csv --out scores.csv --threads 1");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("edges  4 read, 0 skipped, 0 among nodes of the graph"), std::string::npos) << outcome.err;
  scratch_.write("more_all.csv", "src,dst\n" + known_edges() + more);
  ASSERT_EQ(run("predict --run a --nodes all.csv --edges more_all.csv --out all_scores.csv --threads 1").code, 0);
  const auto found = lines("scores.csv"), expected = lines("all_scores.csv");
  ASSERT_EQ(found.size(), 1u + kNew);
  for (size_t n = 0; n < kNew; ++n) EXPECT_EQ(found[1 + n], first_cells(expected[1 + kKnown + n], 4));
  scratch_.write("stray.csv", "src,dst\nnear,p160\nfar,p3\n");
  expect_complaint("score --run a --nodes new.csv --edges stray.csv --out s.csv",
                   {"stray.csv:3: neither 'far' nor 'p3' is one of the new rows or a node added for them"});
}

TEST_F(Score, SaysWhatIsWrongWithTheTables) {
  train("--depth 1");
  scratch_.write("known.csv", "id,joined,amount,country\np3,2024-01-01,1,Peru\n");
  expect_complaint("score --run a --nodes known.csv --out s.csv", {"known.csv:2", "'p3' is a node of the graph"});
  scratch_.write("twice.csv", "id,joined,amount,country\nq,2024-01-01,1,Peru\nq,2024-01-01,1,Peru\n");
  expect_complaint("score --run a --nodes twice.csv --out s.csv", {"twice.csv:3", "'q' appears twice"});
  scratch_.write("short.csv", "id,amount,country\nq,1,Peru\n");
  expect_complaint("score --run a --nodes short.csv --out s.csv", {"no column 'joined'", "the run was trained on"});
  scratch_.write("text.csv", "id,joined,amount,country\nq,2024-01-01,much,Peru\n");
  expect_complaint("score --run a --nodes text.csv --out s.csv",
                   {"text.csv:2: column 'amount' holds 'much', expected a number"});
  scratch_.write("stray.csv", "src,dst\np160,p3\nx,p3\n");
  expect_complaint("score --run a --nodes new.csv --edges stray.csv --out s.csv",
                   {"stray.csv:3: neither 'x' nor 'p3' is one of the new rows"});
  expect_complaint("score --run a --nodes new.csv --edge-source src --out s.csv",
                   {"--edge-source applies only to --edges"});
  expect_complaint("score --run a --nodes new.csv --one-hot country --out s.csv",
                   {"--one-hot applies only to training"});
  for (const char* command : {"score --run a --nodes new.csv --edges new_edges.csv --out s.csv",
                              "predict --run a --nodes all.csv --edges all_edges.csv --out s.csv"}) {
    expect_complaint(command + std::string(" --directed"), {"--directed applies only to training", "tables were read"});
  }
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "s.csv"));
}

TEST_F(Score, NewCategoriesAndEdgesOfTheGraphAreReported) {
  train("--depth 1");
  scratch_.write("far.csv", "id,joined,amount,country\nq,2024-01-01,1,Japan\n");
  scratch_.write("edges.csv", "src,dst\np3,p4\nq,p3\n");
  const Outcome outcome = run("score --run a --nodes far.csv --edges edges.csv --out s.csv");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("column 'country': 1 cell holds a category unseen in training"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("edges  2 read, 0 skipped, 1 among nodes of the graph"), std::string::npos) << outcome.err;
}

TEST_F(Score, RowNumbersCountOnFromTheGraph) {
  expect_numbers_from_ten("0 1\n1 2\n3 4\n5 6\n", "", "10 0\n11 10\n");
}

TEST_F(Score, RowNumbersDoNotCountAddedNodes) {
  expect_numbers_from_ten("src,dst\n0,1\n1,2\nghost,4\n5,6\n7,17\n", " --unknown-nodes add",
                          "src,dst\n10,0\n11,ghost\n");
}

TEST_F(Score, TablesOfAKindAreRecognised) {
  std::string devices = "id,age\n", links = "src,dst\n";
  for (int n = 0; n < kKnown; ++n) devices += "d" + std::to_string(n) + "," + std::to_string(n % 9) + "\n";
  for (int n = 0; n < kKnown; ++n) links += "p" + std::to_string(n) + ",d" + std::to_string((n * 3) % kKnown) + "\n";
  scratch_.write("devices.csv", devices);
  scratch_.write("links.csv", links);
  ASSERT_EQ(run("train --nodes people.csv,devices.csv --edges links.csv --hidden 4 --depth 2 --epochs 2 --no-baselines "
                "--out c")
                .code,
            0);
  scratch_.write("more_devices.csv", "id,age\ne1,4\n");
  scratch_.write("edges.csv", "src,dst\np160,e1\np161,d4\n");
  const Outcome both = run("score --run c --nodes more_devices.csv --out s.csv");
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(lines("s.csv").at(1).rfind("e1,devices,", 0), 0u);
  const Outcome joined =
      run("score --run c --nodes new.csv,more_devices.csv --edges edges.csv --unknown-nodes skip --out s.csv");
  ASSERT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(lines("s.csv").size(), 1u + kNew + 1);
  EXPECT_EQ(lines("s.csv").at(1).rfind("p160,people,", 0), 0u);
  scratch_.write("other.csv", "id,weight\ne1,4\n");
  expect_complaint("score --run c --nodes other.csv --out s.csv", {"(people, devices), found those of 0"});
}

TEST_F(Score, TablesInAnotherOrderAreMatchedByName) {
  std::string accounts = "id,f,label\n", devices = "id,f\n", links = "src,dst\n";
  for (int n = 0; n < 40; ++n) {
    const std::string number = std::to_string(n);
    accounts += "a" + number + "," + number + (n % 2 == 0 ? ",x\n" : ",y\n");
    devices += "d" + number + "," + number + "\n";
    links += "a" + number + ",d" + std::to_string(n * 3 % 40) + "\n";
  }
  scratch_.write("accounts.csv", accounts);
  scratch_.write("devices.csv", devices);
  scratch_.write("links.csv", links);
  ASSERT_EQ(run("train --nodes accounts.csv,devices.csv --edges links.csv --hidden 4 --depth 2 --epochs 2 "
                "--no-baselines --out c")
                .code,
            0);
  scratch_.write("more/accounts.csv", "id,f\na40,3\n");
  scratch_.write("more/devices.csv", "id,f\nd40,4\n");
  for (const char* nodes : {"more/accounts.csv,more/devices.csv", "more/devices.csv,more/accounts.csv"}) {
    const Outcome outcome = run("score --run c --out s.csv --nodes " + std::string(nodes));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(lines("s.csv").at(1).rfind("a40,accounts,", 0), 0u) << nodes;
    EXPECT_EQ(lines("s.csv").at(2).rfind("d40,devices,", 0), 0u) << nodes;
  }
  expect_complaint("score --run c --nodes more/devices.csv,new/rows.csv --out s.csv",
                   {"named like the run's node table 'devices', but given in place of 'accounts'"});
}

TEST_F(Score, NeedsTables) {
  ASSERT_EQ(run("train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 1 --out d").code, 0);
  expect_complaint("score --run d --nodes new.csv --out s.csv", {"trained on account-device, expected tables"});
}

}  // namespace
}  // namespace geniepath
