// `geniepath compare` of runs that differ in their seeds, or in more.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.h"
#include "found_text.h"

namespace geniepath {
namespace {

using testing::contains;

class Compare : public testing::ProgramTest {
 protected:
  void train(const std::string& model, int seed) {
    const auto outcome =
        run("train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 3 --threads 1 --model " + model +
            " --seed " + std::to_string(seed) + " --out " + model + std::to_string(seed));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  // 40 nodes of two classes with a column of numbers, every eighth one `empty`.
  void write_nodes(const std::string& file, double shift, const std::string& empty = "0") {
    std::string nodes = "id,amount,fraud\n";
    for (int n = 0; n < 40; ++n) {
      nodes += std::to_string(n) + "," + (n % 8 == 3 ? empty : std::to_string(n * shift)) + "," +
               (n % 3 == 1 ? "yes" : "no") + "\n";
    }
    scratch_.write(file, nodes);
    scratch_.write("edges.csv", "source,target\n0,1\n1,2\n5,7\n");
  }

  void train_on(const std::string& nodes, const std::string& options) {
    const auto outcome = run("train --edges edges.csv --nodes " + nodes +
                             " --label-column fraud --model mlp --hidden 4 --depth 1 --epochs 2 --threads 1 "
                             "--no-baselines --metric accuracy " + options);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
  }
};

// Folds and split seeds decide what features are standardised by, and what empty cells are filled with.
TEST_F(Compare, GivesMeansOverFoldsAndSplitSeeds) {
  write_nodes("nodes.csv", 1.5, "");
  for (const char* missing : {"zero", "mean"}) {
    train_on("nodes.csv", std::string("--folds 3 --out folds --force --missing ") + missing);
    EXPECT_TRUE(contains(run("compare folds").out, "   3  mlp")) << missing << "\n" << run("compare folds").out;
    for (const std::string seed : {"1", "2"})
      train_on("nodes.csv", "--split-seed " + seed + " --out seeds/" + seed + " --force --missing " + missing);
    EXPECT_TRUE(contains(run("compare seeds").out, "   2  mlp")) << missing << "\n" << run("compare seeds").out;
  }
}

TEST_F(Compare, TellsDataOfOneNameApart) {
  write_nodes("a.csv", 1), write_nodes("b.csv", -2), write_nodes("moved/a.csv", 1);
  for (const std::string seed : {"1", "2"}) {
    for (const std::string name : {"a", "b"}) train_on(name + ".csv", "--seed " + seed + " --out " + name + seed);
  }
  const std::string both = run("compare --sort name a1 a2 b1 b2").out;
  expect_parts(both, {"nodes a.csv", "nodes b.csv", "no test of the difference: the runs are of different data",
                      "nodes a.csv and b.csv"});
  EXPECT_FALSE(contains(both, "t-test")) << both;
  train_on("moved/a.csv", "--seed 3 --out a3");
  EXPECT_TRUE(contains(run("compare a1 a2 a3").out, "   3  mlp")) << run("compare a1 a2 a3").out;
  write_nodes("a.csv", 7);
  train_on("a.csv", "--seed 1 --out c1"), train_on("a.csv", "--seed 2 --out c2");
  expect_parts(run("compare a1 a2 c1 c2").out, {"the contents of their files differ"});
}

TEST_F(Compare, KnowsAGraphFileByItsContents) {
  write_nodes("a.csv", 1), write_nodes("b.csv", -2);
  const auto convert = [&](const std::string& nodes, const std::string& out) {
    const auto outcome = run("convert --edges edges.csv --nodes " + nodes + " --label-column fraud --out " + out);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  };
  const auto train_in = [&](const std::string& file, const std::string& seed, const std::string& out) {
    const auto outcome = run("train --data " + file + " --model mlp --hidden 4 --depth 1 --epochs 1 --threads 1 --seed " +
                             seed + " --out " + out);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  };
  std::filesystem::create_directories(scratch_ / "moved");
  convert("a.csv", "g.safetensors"), convert("a.csv", "moved/g.safetensors");
  train_in("g.safetensors", "1", "g1"), train_in("moved/g.safetensors", "2", "g2");
  EXPECT_TRUE(contains(run("compare g1 g2").out, "   2  mlp")) << run("compare g1 g2").out;
  convert("b.csv", "g.safetensors");
  train_in("g.safetensors", "1", "h1"), train_in("g.safetensors", "2", "h2");
  const std::string all = run("compare --sort name g1 g2 h1 h2").out;
  expect_parts(all, {"contents of its files", "no test of the difference", "the contents of their files differ"});
}

// They are the training nodes' scores that choose the epoch then, and are called so.
TEST_F(Compare, TakesRunsWithoutValidationNodes) {
  write_nodes("a.csv", 1);
  for (const std::string seed : {"1", "2"}) {
    const auto outcome = run("train --edges edges.csv --nodes a.csv --label-column fraud --model mlp --hidden 4 "
                             "--depth 1 --epochs 2 --threads 1 --no-baselines --split stratified --train-fraction 0.6 "
                             "--valid-fraction 0 --out a" + seed + " --seed " + seed);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    expect_parts(outcome.err, {"no validation nodes", "  train f1 "});
    expect_parts(outcome.out, {"\ntrain  accuracy "});
    for (const std::string& text : {outcome.out, outcome.err}) EXPECT_FALSE(contains(text, "valid accuracy")) << text;
    EXPECT_FALSE(contains(outcome.out, "\nvalid ")) << outcome.out;
    const auto result = nlohmann::json::parse(read_text(scratch_ / ("a" + seed + "/result.json")));
    EXPECT_TRUE(result["valid"]["accuracy"].is_null()) << result;
    EXPECT_TRUE(result["train"]["accuracy"].is_number()) << result;
  }
  EXPECT_TRUE(contains(run("compare a1 a2").out, "   2  mlp")) << run("compare a1 a2").out;
}

TEST_F(Compare, CountsARunOnce) {
  for (const int seed : {1, 2}) train("mlp", seed);
  std::filesystem::copy(scratch_ / "mlp1", scratch_ / "copy");
  const auto all = run("compare mlp1 ./mlp1 mlp2 ../" + scratch_.path().filename().string() + "/mlp2 copy");
  EXPECT_TRUE(contains(all.out, "   2  mlp")) << all.out;
  EXPECT_FALSE(contains(all.out, "./mlp")) << all.out;
  expect_parts(all.err, {"copy", "same options, data and seeds as", "mlp1", "counted once"});
}

TEST_F(Compare, TestsNoDifferenceAcrossData) {
  for (const std::string seed : {"1", "2"}) {
    for (const std::string size : {"200", "300"}) {
      const auto outcome = run("train --data known-paths --steps 2 --keys 4 --values 3 --hidden 4 --depth 2 --epochs 1 "
                               "--threads 1 --size " + size + " --seed " + seed + " --out kp" + size + "/" + seed);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
  }
  const std::string sizes = run("compare --sort name kp200 kp300").out;
  expect_parts(sizes, {"size 200", "size 300", "no test of the difference: the runs are of different data",
                       "size 200 and 300"});
  write_nodes("a.csv", 1);
  for (const std::string seed : {"1", "2"}) {
    train_on("a.csv", "--metric f1 --positive yes --seed " + seed + " --out yes/" + seed);
    train_on("a.csv", "--metric f1 --positive no --seed " + seed + " --out no/" + seed);
  }
  const std::string classes = run("compare yes no").out;
  expect_parts(classes, {"positive no", "positive yes", "no test of the difference", "positive "});
  EXPECT_FALSE(contains(classes, "t-test")) << classes;
}

TEST_F(Compare, NamesOnlyOptionsAsWhatDiffers) {
  write_nodes("a.csv", 1, "");
  for (const std::string seed : {"1", "2"}) {
    train_on("a.csv", "--missing mean --epochs 2 --seed " + seed + " --out mean/" + seed);
    train_on("a.csv", "--missing zero --epochs 3 --seed " + seed + " --out zero/" + seed);
  }
  const std::string both = run("compare mean zero").out;
  expect_parts(both, {"epochs 2", "missing mean", "epochs 3", "missing zero"});
  for (const char* derived : {"checksum", "means", "features", "numbers", "fingerprint", "marked", "contents"})
    EXPECT_FALSE(contains(both, derived)) << derived << " in\n" << both;
}

TEST_F(Compare, GivesMeansOverSeedsAndWhetherTwoRecipesDiffer) {
  for (const char* model : {"mlp", "gcn"}) {
    for (const int seed : {1, 2}) train(model, seed);
  }
  const std::string alone = run("compare mlp1 gcn1").out;
  EXPECT_EQ(alone.find("deviation"), std::string::npos) << alone;
  EXPECT_EQ(alone.find("t-test"), std::string::npos) << alone;
  const std::string all = run("compare mlp1 mlp2 gcn1 gcn2").out;
  for (const char* part :
       {"   2  mlp", "   2  gcn", "deviation", "first minus second: ", "over 2 common seeds", "paired t-test"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
}

// Members 1 to 12, the odd ones fraud; the published splits 0 and 1 differ in one member.
TEST_F(Compare, GivesMeansOverPublishedSplits) {
  std::string network, truth;
  for (int member = 1; member <= 12; ++member) {
    const bool fraud = member % 2 == 1;
    network += "0," + std::to_string(member) + (fraud ? ",-5," : ",5,") + std::to_string(member) + "\n";
    truth += std::to_string(member) + (fraud ? ",-1\n" : ",+1\n");
  }
  scratch_.write("otc/otc_network.csv", network);
  scratch_.write("otc/otc_gt.csv", truth);
  for (const int split : {0, 1}) {
    std::string masks = "node,train_mask,val_mask,test_mask,label,is_anchor\n";
    for (int member = 1; member <= 12; ++member) {
      const char* part = member + split <= 6 ? ",1,0,0," : member <= 9 ? ",0,1,0," : ",0,0,1,";
      masks += std::to_string(member) + part + std::to_string(member % 2) + ",1\n";
    }
    const std::string number = std::to_string(split);
    scratch_.write("otc/masks_" + number + ".csv", masks);
    const auto outcome = run("train --data otc --model mlp --hidden 4 --depth 1 --epochs 3 --threads 1 "
                             "--feature-transform standardise --out split" + number + " --published-split " + number);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  const std::string both = run("compare split0 split1").out;
  EXPECT_NE(both.find("   2  mlp"), std::string::npos) << both;
}

// All test nodes are legit.
TEST_F(Compare, SaysWhatIsUndefined) {
  std::string nodes = "id,amount,fraud,split\n";
  for (int n = 0; n < 30; ++n) {
    const bool test = n >= 20;
    nodes += std::to_string(n) + "," + std::to_string(n % 3) + "," + (!test && n % 2 == 1 ? "1" : "0") + "," +
             (test ? "test" : n < 10 ? "train" : "valid") + "\n";
  }
  scratch_.write("nodes.csv", nodes);
  scratch_.write("edges.csv", "source,target\n0,1\n1,2\n");
  const std::string options =
      "train --edges edges.csv --nodes nodes.csv --label-column fraud --split-column split --model mlp "
      "--hidden 4 --depth 1 --epochs 3 --threads 1 --out ";
  const auto trained = run(options + "a --seed 1");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.out.find("roc_auc –  average_precision –"), std::string::npos) << trained.out;
  ASSERT_EQ(run(options + "b --seed 2").code, 0);
  const auto both = run("compare a b --sort roc_auc");
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(both.out.find("nan"), std::string::npos) << both.out;
  EXPECT_EQ(run("report --run a --out report.html").code, 0);
}

}  // namespace
}  // namespace geniepath
