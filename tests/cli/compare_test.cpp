// `geniepath compare` of runs that differ in their seeds, or in more.
#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace geniepath {
namespace {

class Compare : public testing::ProgramTest {
 protected:
  void train(const std::string& model, int seed) {
    const auto outcome = run("train --data account-device --size 1000 --hidden 4 --depth 1 --epochs 3 --threads 1 --model " + model +
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
  for (const char* part : {"   2  mlp", "   2  gcn", "deviation", "first minus second: ", "over 2 common seeds", "paired t-test"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
}

}  // namespace
}  // namespace geniepath
