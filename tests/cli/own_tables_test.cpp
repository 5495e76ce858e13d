// A user's own tables as they are: no id column, text among the features, labels of -1 and 1, edges written as floats
// and separated by blanks. From these two files to a served page in two commands.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.h"
#include "cli/run_program.h"
#include "distributed/as_processes.h"
#include "serve/page.h"

namespace geniepath {
namespace {

using testing::Outcome;

constexpr int kPeople = 240;

class OwnTables : public testing::ProgramTest {
 protected:
  OwnTables() {
    Random random{3};
    std::string nodes = "joined,country,amount,sign\n", edges;
    for (int node = 0; node < kPeople; ++node) {
      char row[96];
      std::snprintf(row, sizeof row, "2024-%02d-%02d,%s,%g,%d\n", 1 + node % 12, 1 + node % 28,
                    node % 5 == 0 ? "Chile" : "Peru", 100 * random.uniform() + (is_positive(node) ? 60 : 0),
                    is_positive(node) ? 1 : -1);
      nodes += row;
      std::snprintf(row, sizeof row, "%.6e  %.6e\n", static_cast<double>(node),
                    static_cast<double>((node + 2) % kPeople));
      edges += row;
    }
    scratch_.write("people.csv", nodes);
    scratch_.write("knows.txt", edges);
  }
  static bool is_positive(int node) { return node % 2 == 0; }

  const std::string columns_ = "--edges knows.txt --nodes people.csv --id-column row --label-column sign ";
  const std::string small_ = " --hidden 4 --depth 1 --epochs 1 --threads 1 ";

  std::string train(const std::string& options = "--out a") const {
    return "train " + columns_ + "--hidden 4 --depth 1 --epochs 40 --threads 1 " + options;
  }
  nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read_text(scratch_ / file)); }

  // The run's mean of its one column of numbers; NAN: an empty cell.
  void expect_mean_of_training_nodes(const std::vector<double>& cells) const {
    ASSERT_EQ(run("predict --run a --out of_training.csv --threads 1").code, 0);
    std::istringstream rows(read_text(scratch_ / "of_training.csv"));
    std::string row;
    std::getline(rows, row);
    double sum = 0, count = 0;
    for (const double cell : cells) {
      ASSERT_TRUE(std::getline(rows, row));
      if (!row.ends_with(",train") || std::isnan(cell)) continue;
      sum += cell, count += 1;
    }
    ASSERT_GT(count, 0);
    EXPECT_DOUBLE_EQ(json("a/model.json").at("schema").at("tables").at(0).at("means").at(0).get<double>(), sum / count);
  }
};

TEST_F(OwnTables, ThatChangedAreNoLongerThoseOfTheTraining) {
  ASSERT_EQ(run(train()).code, 0);
  const std::string before = read_text(scratch_ / "people.csv");
  scratch_.write("people.csv", before + "2024-05-06,Peru,12,1\n");
  expect_complaint("train --resume --epochs 41 --threads 1 --out a",
                   {"a: the run's data (knows.txt, people.csv) is not what it was", "or start anew (--force)"});
  EXPECT_EQ(json("a/result.json")["epochs"], 40) << "what was refused leaves the result";
  EXPECT_EQ(json("a/model.json")["train"]["epochs"], 40);
  std::filesystem::rename(scratch_ / "knows.txt", scratch_ / "away.txt");
  expect_complaint("train --resume --epochs 41 --threads 1 --out a", {"knows.txt is gone"});
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "a/result.json"));
  std::filesystem::rename(scratch_ / "away.txt", scratch_ / "knows.txt");
  expect_complaint("evaluate --run a --threads 1",
                   {"knows.txt, people.csv would be drawn anew", "nodes that it was trained on"});
  const Outcome predicted = run("predict --run a --out p.csv --threads 1");
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_NE(predicted.err.find("people.csv: changed since"), std::string::npos) << predicted.err;
  const auto names_splits = [&] {
    const std::string rows = read_text(scratch_ / "p.csv");
    return rows.substr(0, rows.find('\n')).find("split") != std::string::npos;
  };
  EXPECT_FALSE(names_splits());
  const std::string typed = " --edges knows.txt --nodes people.csv --threads 1";
  expect_complaint("evaluate --run a" + typed, {"evaluate: ", "would be drawn anew"});
  expect_complaint("report --run a --out r.html --threads 1", {"report: ", "would be drawn anew"});
  const Outcome explained = run("explain --run a --node 3 --threads 1");
  EXPECT_EQ(explained.code, 0) << explained.err;
  for (const char* split : {"train node", "valid node", "test node"}) {
    EXPECT_EQ(explained.out.find(split), std::string::npos) << explained.out;
  }
  scratch_.write("new.csv", "2024-05-06,Peru,12\n");
  const Outcome scored = run("score --run a --nodes new.csv --out s.csv --threads 1");
  EXPECT_NE(scored.err.find("people.csv: changed since"), std::string::npos) << scored.err;
  scratch_.write("people.csv", before);
  ASSERT_EQ(run("predict --run a --out p.csv" + typed).code, 0);
  EXPECT_TRUE(names_splits()) << "the run's own files, by name";
  std::filesystem::copy(scratch_ / "people.csv", scratch_ / "copy.csv");
  ASSERT_EQ(run("predict --run a --out p.csv --nodes copy.csv --threads 1").code, 0);
  EXPECT_TRUE(names_splits()) << "their content, from elsewhere";
  const Outcome evaluated = run("evaluate --run a --threads 1");
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(evaluated.err.find("changed"), std::string::npos) << evaluated.err;
  EXPECT_EQ(run("train --resume --epochs 41 --threads 1 --out a").code, 0);
}

// One feature per city makes the features sparse; a zero is not stored there, but it is the smallest amount.
TEST_F(OwnTables, HoldZeroAsANumberAlsoInSparseFeatures) {
  std::string nodes = "amount,city,sign\n", edges = "0 1\n";
  for (int node = 0; node < 300; ++node) {
    const int amount = 10 + node * 7 % 91;
    nodes += std::to_string(amount) + ",city" + std::to_string(node % 30) + (amount > 55 ? ",1\n" : ",-1\n");
  }
  scratch_.write("people.csv", nodes);
  scratch_.write("knows.txt", edges);
  ASSERT_EQ(run(train("--learning-rate 0.02 --out a")).code, 0);
  ASSERT_TRUE(json("a/model.json")["schema"]["sparse"]);
  scratch_.write("new.csv", "amount,city\n0,city3\n0.01,city3\n55,city3\n");
  ASSERT_EQ(run("score --run a --nodes new.csv --out s.csv --threads 1").code, 0);
  std::istringstream rows(read_text(scratch_ / "s.csv"));
  std::vector<double> positive;
  std::string row;
  for (std::getline(rows, row); std::getline(rows, row);) {
    positive.push_back(std::stod(row.substr(row.rfind(',') + 1)));
  }
  ASSERT_EQ(positive.size(), 3u);
  EXPECT_NEAR(positive[0], positive[1], 1e-3);
  EXPECT_GT(positive[2], positive[1] + 0.05) << "the mean is far from both";
}

TEST_F(OwnTables, AreNotScoredOnAnotherSplitThanThatOfTheTraining) {
  ASSERT_EQ(run(train()).code, 0);
  std::filesystem::copy(scratch_ / "people.csv", scratch_ / "copy.csv");
  for (const std::string split : {"--split-seed 5", "--split random --train-fraction 0.1 --test-fraction 0.3",
                                  "--nodes copy.csv --split folds"}) {
    for (const std::string command : {"evaluate", "report"}) {
      expect_complaint(command + " --run a --threads 1 " + split,
                       {command + ": the split of ", "another than in training", "nodes that it was trained on",
                        "leave out the options that split it, or " + command + " data that"});
    }
    ASSERT_EQ(run("predict --run a --out p.csv --threads 1 " + split).code, 0);
    const std::string rows = read_text(scratch_ / "p.csv");
    EXPECT_EQ(rows.substr(0, rows.find('\n')).find("split"), std::string::npos) << split;
  }
  EXPECT_EQ(run("evaluate --run a --split stratified --split-seed 1 --threads 1").code, 0) << "the training's own";
  scratch_.write("more.csv", read_text(scratch_ / "people.csv") + "2024-05-06,Peru,12,1\n");
  const Outcome other = run("evaluate --run a --nodes more.csv --split-seed 5 --threads 1");
  EXPECT_EQ(other.code, 0) << other.err;
}

TEST_F(OwnTables, ThatChangedAreNotMixedInOneMean) {
  ASSERT_EQ(run(train("--seeds 2 --out many")).code, 0);
  std::filesystem::remove_all(scratch_ / "many/seed-2");
  scratch_.write("people.csv", read_text(scratch_ / "people.csv") + "2024-05-06,Peru,12,1\n");
  expect_complaint(train("--seeds 2 --resume --out many"),
                   {"many/seed-1: the run's data (knows.txt, people.csv) is not what it was"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "many/seed-2"));
  std::filesystem::remove(scratch_ / "many/seed-1/last.safetensors");
  std::filesystem::remove(scratch_ / "many/seed-1/best.safetensors");
  std::filesystem::remove(scratch_ / "many/seed-1/result.json");
  const Outcome anew = run(train("--seeds 2 --resume --out many"));
  EXPECT_EQ(anew.code, 0) << "a run without a checkpoint starts over: " << anew.err;
}

TEST_F(OwnTables, KeepTheirUsualModelAsAGraphFile) {
  ASSERT_EQ(run("convert " + columns_ + "--out g.safetensors").code, 0);
  ASSERT_EQ(run("train --data g.safetensors --out a" + small_).code, 0);
  const auto description = json("a/model.json");
  EXPECT_EQ(description["model"]["model"], "geniepath-lazy");
  EXPECT_EQ(description["model"]["residual"], "hop");
  EXPECT_EQ(description["schema"]["tables"][0]["numbers"],
            (std::vector<std::string>{"joined", "amount", "country=Chile", "country=Peru"}));
}

TEST_F(OwnTables, KeepTheirUsualModelInPieces) {
  REQUIRE_GLOO();
  ASSERT_EQ(run("partition " + columns_ + "--pieces 2 --method stream --out pieces").code, 0);
  const auto model_of = [&](const std::string& out, const std::string& options) {
    const std::string train = "train --partition pieces --processes 2 --out " + out + options + small_;
    EXPECT_EQ(run(train, "env ").code, 0);
    return json(out + "/model.json")["model"];
  };
  const auto usual = model_of("usual", "");
  EXPECT_EQ(usual["model"], "geniepath-lazy");
  EXPECT_EQ(usual["residual"], "hop");
  EXPECT_EQ(model_of("typed", " --model geniepath")["model"], "geniepath");
}

TEST_F(OwnTables, AreServedAfterTwoCommands) {
  const Outcome trained = run(train());
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto model = json("a/model.json");
  EXPECT_EQ(model["data"]["data"], "tables") << "giving tables means tables";
  EXPECT_EQ(model["class_names"], (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(model["features"], 4) << "joined, amount, country Chile, country Peru";
  EXPECT_EQ(model["transforms"]["feature-transform"], "standardise");
  for (const char* part : {"knows.txt: no header, as the first row holds ids", "column 'joined' holds dates",
                           "column 'country' holds text, with one feature for each of its 2 values",
                           "edges  240 read, 0 skipped, 0 merged, 0 self-loops; 0 nodes without edges"}) {
    const size_t at = trained.err.find(part);
    EXPECT_NE(at, std::string::npos) << part << " in\n" << trained.err;
    EXPECT_EQ(trained.err.find(part, at + 1), std::string::npos) << "said once";
  }
  const std::string script =
      "cd '" + scratch_.path().string() +
      "' && { '" GENIEPATH_PROGRAM
      "' serve --run a --port 0 --threads 1 >out.txt 2>err.txt & "
      "pid=$!; for n in $(seq 300); do grep -q listening out.txt && break; sleep 0.1; done; "
      "port=$(sed -n 's/.*:\\([0-9]*\\)\\/$/\\1/p' out.txt); "
      "for path in api/v1/model ''; do bash -c \"exec 3<>/dev/tcp/127.0.0.1/$port; "
      "printf 'GET /$path HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3; "
      "cat <&3\" >${path:+model_}page.txt; done; kill -INT $pid; wait $pid; }";
  EXPECT_EQ(std::system(script.c_str()), 0);
  for (const char* answer : {"model_page.txt", "page.txt"}) {
    EXPECT_EQ(read_text(scratch_ / answer).rfind("HTTP/1.1 200", 0), 0u) << read_text(scratch_ / answer);
  }
  const bool has_page = !serve::page_files().empty();
  EXPECT_EQ(read_text(scratch_ / "page.txt").find("text/html") != std::string::npos, has_page);
}

TEST_F(OwnTables, WithColumnsAreLearnedByTheLazyVariantUnlessAnotherIsChosen) {
  const std::string note = "unless set, --model geniepath-lazy --residual ";
  const Outcome usual = run(train("--no-baselines --out b"));
  EXPECT_NE(usual.err.find(note + "hop\n"), std::string::npos) << usual.err;
  EXPECT_EQ(json("b/model.json")["model"]["model"], "geniepath-lazy");
  EXPECT_EQ(json("b/model.json")["model"]["residual"], "hop");
  const Outcome without = run(train("--residual none --no-baselines --force --out b"));
  EXPECT_NE(without.err.find(note + "none\n"), std::string::npos) << without.err;
  for (const std::string chosen : {"geniepath", "geniepath-lazy", "gcn"}) {
    const Outcome outcome = run(train("--no-baselines --force --out b --model " + chosen));
    EXPECT_EQ(outcome.err.find(note), std::string::npos) << outcome.err;
    EXPECT_EQ(json("b/model.json")["model"]["model"], chosen);
    EXPECT_EQ(json("b/model.json")["model"]["residual"], "none");
  }
}

TEST_F(OwnTables, WithoutFeaturesGetNodeIds) {
  scratch_.write("known.csv", "0,-1\n1,+1\n2,-1\n3,+1\n4,-1\n5,+1\n6,-1\n7,+1\n8,-1\n9,+1\n");
  const Outcome outcome =
      run("train --edges knows.txt --nodes known.csv --id-column column1 --label-column column2 --unknown-nodes add "
          "--hidden 2 --depth 1 --epochs 2 --threads 1 --out b");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("tables has no feature columns: nodes are told apart by their ids (--node-features)"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(json("b/model.json")["transforms"]["node-features"], "one-hot");
}

TEST_F(OwnTables, AreComparedWithTheMajorityAndAnMlp) {
  const Outcome shown = run(train());
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_NE(shown.out.find("\nmajority  accuracy "), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("\nmlp    accuracy "), std::string::npos) << shown.out;
  const auto baselines = json("a/result.json")["baselines"];
  EXPECT_TRUE(baselines["majority"].contains("f1"));
  EXPECT_GT(baselines["mlp"]["accuracy"], 0.5);
  EXPECT_GT(baselines["seconds"], 0);
  EXPECT_TRUE(baselines["beaten"].is_boolean());
  const Outcome evaluated = run("evaluate --run a --threads 1");
  EXPECT_NE(evaluated.out.find("\nmlp    accuracy "), std::string::npos) << evaluated.out;
  EXPECT_EQ(nlohmann::json::parse(run("evaluate --run a --threads 1 --json").out)["baselines"], baselines);
  ASSERT_EQ(run("report --run a --sample 5 --threads 1").code, 0);
  const std::string page = read_text(scratch_ / "a/report.html");
  for (const char* part : {"For comparison", "majority class", "MLP on the same features, without edges"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  const Outcome without = run(train("--no-baselines --json --out b"));
  ASSERT_EQ(without.code, 0) << without.err;
  EXPECT_FALSE(nlohmann::json::parse(without.out).contains("baselines"));
}

TEST_F(OwnTables, SayWhereTheResultIsWorthLittle) {
  const Outcome outcome = run(train("--model geniepath --learning-rate 0 --json --out a"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the run does not beat an MLP"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--model geniepath-lazy or --residual hop"), std::string::npos) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["baselines"]["beaten"], false);
  scratch_.write("people.csv", "f,label\n" + [] {
    std::string rows;
    for (int node = 0; node < kPeople; ++node) rows += node % 10 == 0 ? "0,1\n" : "0,0\n";
    return rows;
  }());
  const std::string blindly =
      "train --edges knows.txt --nodes people.csv --id-column row --hidden 2 --depth 1 --epochs 2 "
      "--class-weights none --threads 1 --out ";
  const Outcome several = run(blindly + "many --seeds 2");
  ASSERT_EQ(several.code, 0) << several.err;
  EXPECT_NE(several.err.find("the runs do not beat the majority class: mean test f1 0.0000 against 0.0000"),
            std::string::npos)
      << several.err;
  const size_t note = several.err.find("they are drawn (--split)");
  EXPECT_EQ(several.err.find("they are drawn (--split)", note + 1), std::string::npos) << "said once: " << several.err;
  const Outcome blind = run(blindly + "b");
  ASSERT_EQ(blind.code, 0) << blind.err;
  EXPECT_NE(blind.err.find("the run predicts '0' for every test node"), std::string::npos) << blind.err;
  EXPECT_NE(blind.err.find("column 'f' holds the same value in every row"), std::string::npos) << blind.err;
}

TEST_F(OwnTables, AreJudgedAfterTheResult) {
  const Outcome outcome = run(train("--model geniepath --residual hop --learning-rate 0 --out a"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const size_t verdict = outcome.err.find("the run does not beat an MLP");
  ASSERT_NE(verdict, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("epoch ", verdict), std::string::npos) << "the last that is said: " << outcome.err;
  EXPECT_EQ(outcome.err.find("--residual hop keeps"), std::string::npos) << "advice that was taken: " << outcome.err;
  ASSERT_EQ(run("report --run a --sample 5 --threads 1").code, 0);
  EXPECT_NE(read_text(scratch_ / "a/report.html").find("The best of these scores at least as high as the run."),
            std::string::npos);
}

// Everybody is suspect to the run, which finds the few that are: a higher F1 than the majority's, and a lower accuracy.
TEST_F(OwnTables, ABetterF1MayHaveTheLowerAccuracy) {
  std::string people = "f,label,split\n";
  for (int node = 0; node < kPeople; ++node) {
    people += node % 10 == 0 ? "1,1," : "1,0,";
    people += node % 3 == 0 ? "train\n" : node % 3 == 1 ? "valid\n" : "test\n";
  }
  scratch_.write("people.csv", people);
  const Outcome outcome =
      run("train --edges knows.txt --nodes people.csv --id-column row --hidden 2 --depth 1 --epochs 2 "
          "--threshold tuned --threads 1 --out a");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("the run predicts '1' for every test node"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("does not beat the majority"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("the majority class has a lower test f1, 0.0000, but a higher accuracy: 0.9"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find(", 1 feature, "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("; 1 thread, "), std::string::npos) << outcome.err;
}

TEST_F(OwnTables, WithoutASplitHaveNoneThatIsGiven) {
  expect_complaint(train("--split given --out a"), {"--split given: tables does not say which nodes are for training, "
                                                    "validation and test; looked for column 'split' of "
                                                    "the node tables (--split-column); --split stratified draws them"});
  EXPECT_EQ(run(train("--epochs 2 --no-baselines --out a")).code, 0) << "drawn unless asked for";
}

TEST_F(OwnTables, AreFoundFromAnywhere) {
  std::filesystem::create_directories(scratch_ / "work/data");
  for (const char* file : {"knows.txt", "people.csv"})
    std::filesystem::rename(scratch_ / file, scratch_ / "work/data" / file);
  run("--version");  // leaves output to be read where the next run leaves none
  const std::string inside = "cd work && ";
  const std::string options =
      "train --edges data/knows.txt --nodes data/people.csv --id-column row --label-column sign --hidden 2 "
      "--depth 1 --epochs 2 --threads 1 --no-baselines --out run";
  const Outcome trained = run(options, inside);
  // The shell changes the folder for the program and for its output.
  ASSERT_TRUE(std::filesystem::exists(scratch_ / "work/run/result.json")) << trained.err;
  EXPECT_EQ(run("evaluate --run work/run --threads 1").code, 0) << "from another working folder";
  std::filesystem::rename(scratch_ / "work", scratch_ / "moved");
  const Outcome moved = run("evaluate --run moved/run --threads 1");
  EXPECT_EQ(moved.code, 0) << "moved with its data: " << moved.err;
  std::filesystem::rename(scratch_ / "moved", scratch_ / "work");
  std::filesystem::rename(scratch_ / "work/run", scratch_ / "alone");
  EXPECT_EQ(run("evaluate --run alone --threads 1").code, 0) << "moved without its data";
  EXPECT_EQ(run("train --resume --epochs 3 --edges work/data/knows.txt --threads 1 --out alone").code, 0)
      << "the same file";
  expect_complaint("train --resume --epochs 4 --edges work/data/people.csv --threads 1 --out alone",
                   {"--edges", "was started with"});
  std::filesystem::rename(scratch_ / "work/data/people.csv", scratch_ / "elsewhere.csv");
  const std::string gone =
      "the run's data (nodes): people.csv is gone; looked for " + (scratch_ / "work/data/people.csv").string();
  for (const char* command : {"evaluate --run alone", "predict --run alone --out p.csv", "explain --run alone --node 1",
                              "serve --port 0 --run alone"}) {
    expect_complaint(command, {gone, "; --nodes says where it is now"});
  }
  expect_complaint("score --run alone --nodes elsewhere.csv --out s.csv", {gone, "; put it back there"});
  expect_complaint("train --resume --epochs 5 --threads 1 --out alone", {gone, "; put it back there"});
  EXPECT_EQ(run("evaluate --run alone --nodes elsewhere.csv --threads 1").code, 0);
}

TEST_F(OwnTables, SayWhatIsMissing) {
  const std::string start = "train --edges knows.txt --nodes people.csv --out a ";
  expect_complaint(start, {"no column 'id' for the ids", "--id-column row"});
  expect_complaint(start + "--id-column row",
                   {"no labelled node", "--label-column names the right one of: joined, amount, sign, country"});
  expect_complaint(start + "--id-column row --label-column sing",
                   {"no node table has a column 'sing'", "did you mean 'sign'?"});
  expect_complaint("train --edges knows.txt --out a", {"no labelled node", "--nodes"});
  scratch_.write("one.csv", "id,kind\n0,good\n1,good\n2,\n");
  scratch_.write("pairs.csv", "src,dst\n0,1\n1,2\n");
  expect_complaint("train --edges pairs.csv --nodes one.csv --label-column kind --out a",
                   {"every label in column 'kind' is 'good', expected two classes or more"});
  scratch_.write("t.parquet", "PAR1\x15\x04");
  expect_complaint("inspect --edges t.parquet",
                   {"t.parquet: a file in Parquet format", "pandas.read_parquet('t.parquet').to_csv"});
}

TEST_F(OwnTables, KeepTheirMeansAndCategoriesForPredictions) {
  scratch_.write("n.csv", "age,city,label\n1,rome,x\n,oslo,y\n3,rome,x\n5,oslo,y\n2,rome,x\n4,oslo,y\n");
  scratch_.write("e.csv", "0 1\n1 2\n3 4\n4 5\n");
  ASSERT_EQ(run("train --edges e.csv --nodes n.csv --id-column row --missing mean --hidden 2 --depth 1 --epochs 2 "
                "--threads 1 --train-fraction 0.6 --valid-fraction 0.2 --test-fraction 0.2 --out a")
                .code,
            0);
  expect_mean_of_training_nodes({1, NAN, 3, 5, 2, 4});
  scratch_.write("new.csv", "city,age\noslo,\nbonn,2\n");
  scratch_.write("new_edges.csv", "0,1\n");
  const Outcome outcome = run("predict --run a --edges new_edges.csv --nodes new.csv --out p.csv --threads 1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("column 'city': 1 cell holds a category unseen in training"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("edges  1 read"), std::string::npos) << outcome.err;
  expect_complaint("predict --run a --nodes new.csv --one-hot city --out p.csv",
                   {"--one-hot applies only to training"});
}

// Options that would be ignored.
class Applicable : public testing::ProgramTest {};

TEST_F(Applicable, OptionsAreRefusedWhereTheyHaveNoEffect) {
  scratch_.write("e.csv", "0 1\n1 2\n");
  expect_complaint("inspect --edges e.csv --size 500",
                   {"--size does not apply to --data tables; it applies to --data account-device or known-paths"});
  expect_complaint("inspect --data cora --steps 2",
                   {"--steps does not apply to --data cora; it applies to --data known-paths"});
  expect_complaint("inspect --data cora --edges e.csv",
                   {"--edges does not apply to --data cora; it applies to --data tables"});
  expect_complaint("inspect --edges e.csv --missing zero", {"--missing does not apply without --nodes"});
  expect_complaint("inspect --edges e.csv --split random", {"--split applies only with --prepared"});
  expect_complaint("train --fan-out 5,5 --out a",
                   {"--fan-out does not apply to --batch whole; it applies to --batch neighbours or labor"});
  expect_complaint("train --batch components --batch-size 9 --out a",
                   {"--batch-size does not apply to --batch components"});
  expect_complaint("train --batch labor --node-budget 9 --out a",
                   {"--node-budget does not apply to --batch labor; it applies to --batch components or clusters"});
  expect_complaint("train --batch clusters --batch-graphs 2 --out a",
                   {"--batch-graphs does not apply to --batch clusters"});
  expect_complaint("train --model deepwalk --batch labor --out a", {"--batch does not apply to --model deepwalk"});
  expect_complaint("train --data account-device --size 1000 --batch neighbours --fan-out 5,x --out a",
                   {"option fan-out: '5,x': expected numbers from 1 to 1000000, or all"});
  expect_complaint("train --heads 2 --out a",
                   {"--heads does not apply to --model geniepath; it applies to --model gat"});
  expect_complaint("train --model mlp --residual hop --out a", {"--residual does not apply to --model mlp"});
  expect_complaint("train --walk-length 5 --out a",
                   {"--walk-length does not apply to --model geniepath; it applies to --model node2vec or deepwalk"});
  expect_complaint("train --model node2vec --warmup 3 --out a", {"--warmup does not apply to --model node2vec"});
  expect_complaint("train --task unsupervised --patience 3 --out a",
                   {"--patience does not apply to --task unsupervised"});
  expect_complaint("train --size 1000 --split given --split-seed 3 --out a",
                   {"--split-seed does not apply to --split given"});
  expect_complaint("train --task binary --out a",
                   {"--task does not apply to --data account-device; it applies to --data "
                    "tables, or to --task unsupervised"});
  expect_complaint("tune --size 1000 --range heads=choice:1,2 --out t",
                   {"--range heads does not apply to --model geniepath"});
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "a"));
}

TEST_F(Applicable, ConfigFilesAreCheckedButMayListDefaults) {
  const std::string rest = "size = 1000\nhidden = 2\ndepth = 1\nepochs = 1\n";
  scratch_.write("all.toml", rest + "heads = \"1\"\nsteps = 3\nverify = true\n");
  EXPECT_EQ(run("train --config all.toml --threads 1 --out a").code, 0);
  EXPECT_EQ(read_text(scratch_ / "a/config.toml").find("heads"), std::string::npos)
      << "options that apply, and no others";
  scratch_.write("bad.toml", rest + "heads = \"2\"\n");
  expect_complaint("train --config bad.toml --out b",
                   {"--heads (in the config file) does not apply to --model geniepath"});
  expect_complaint("train --config all.toml --heads 1 --out b", {"--heads does not apply"});
}

TEST_F(Applicable, RunsAreUsedWithOptionsOfTheirData) {
  ASSERT_EQ(run("train --size 1000 --hidden 2 --depth 1 --epochs 1 --threads 1 --out a").code, 0);
  EXPECT_EQ(run("evaluate --run a --data-seed 2 --threads 1").code, 0);
  expect_complaint("evaluate --run a --steps 2", {"--steps does not apply to --data account-device"});
  scratch_.write("e.csv", "0 1\n1 2\n");
  expect_complaint("evaluate --run a --edges e.csv", {"tables"});
}

}  // namespace
}  // namespace geniepath
