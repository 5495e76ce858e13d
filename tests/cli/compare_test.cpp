// `geniepath compare` of runs that differ in their seeds, or in more.
#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace geniepath {
namespace {

class Compare : public testing::ProgramTest {
 protected:
  void train(const std::string& model, int seed) {
    const auto outcome =
        run("train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 3 --threads 1 --model " + model +
            " --seed " + std::to_string(seed) + " --out " + model + std::to_string(seed));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
};

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
    const auto outcome = run("train --data otc --model mlp --hidden 4 --depth 1 --epochs 3 --threads 1 --out split" +
                             number + " --published-split " + number);
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
