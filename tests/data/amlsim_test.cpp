#include "data/formats/amlsim.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

constexpr const char* kAccountHeader = "nodeid,isFraud,init_balance,fraudStep\n";
constexpr const char* kTransferHeader = "sourceNodeId,targetNodeId,value,time\n";

Dataset load_accounts(const std::string& accounts, const std::string& transfers) {
  testing::ScratchFolder folder;
  folder.write("nodes.csv", kAccountHeader + accounts);
  folder.write("transactions.csv", kTransferHeader + transfers);
  return load_amlsim(folder.path(), "amlsim");
}

// Account 0 pays 1 twice, 1 pays 2 once; account 3 has no transfer.
const char* const kFour = "0,0,100.5,-1\n1,1,200,4\n2,1,300,-1\n3,0,400,-1\n";
const char* const kThreeTransfers = "0,1,10,1\n0,1,30,2\n1,2,40,4\n";

TEST(Amlsim, TransfersBecomeEdgesFromSenderToReceiver) {
  const Dataset data = load_accounts(kFour, kThreeTransfers);
  data.validate();
  EXPECT_EQ(data.graph.num_nodes(), 4);
  EXPECT_EQ(data.graph.num_edges(), 2) << "two transfers between the same accounts are one edge";
  EXPECT_EQ(data.graph.incoming().neighbours(1)[0], 0);
  EXPECT_TRUE(data.labels.equal(at::tensor({0, 1, 1, 0}, at::kLong)));
  EXPECT_TRUE(data.train.empty() && data.valid.empty() && data.test.empty());
}

TEST(Amlsim, FeaturesAreThoseDocumented) {
  const at::Tensor features = load_accounts(kFour, kThreeTransfers).features.dense();
  ASSERT_EQ(features.size(1), 18);
  const auto ln = [](double x) { return std::log1p(x); };
  const std::vector<double> second{200, 0, ln(2), ln(1), ln(40), ln(20), ln(10), ln(30), .25, .5,
                                   ln(1), ln(1), ln(40), ln(40), 0, ln(40), 1, 1};
  for (size_t i = 0; i < second.size(); ++i) {
    EXPECT_FLOAT_EQ(features[1][static_cast<int64_t>(i)].item<float>(), static_cast<float>(second[i])) << i;
  }
  EXPECT_EQ(features[0][1].item<float>(), -1) << "only sent";
  EXPECT_EQ(features[3].sum().item<float>(), 400) << "zeros for an account without transfers";
}

TEST(Amlsim, TheStepOfAFraudIsNoFeature) {
  const Dataset known = load_accounts(kFour, kThreeTransfers);
  const Dataset unknown = load_accounts("0,0,100.5,-1\n1,1,200,-1\n2,1,300,-1\n3,0,400,-1\n", kThreeTransfers);
  EXPECT_TRUE(known.features.dense().equal(unknown.features.dense()));
}

TEST(Amlsim, SaysWhatIsWrong) {
  EXPECT_ERROR(load_accounts("0,0,1,-1\n2,0,1,-1\n", ""),
               "nodes.csv:3: nodeid: expected an integer from 1 to 1, found '2'");
  EXPECT_ERROR(load_accounts("0,2,1,-1\n", ""), "nodes.csv:2: isFraud: expected an integer from 0 to 1, found '2'");
  EXPECT_ERROR(load_accounts("0,0,nan,-1\n", ""), "nodes.csv:2: init_balance: expected a number");
  EXPECT_ERROR(load_accounts("0,0,1,-2\n", ""), "nodes.csv:2: fraudStep: expected an integer from -1");
  EXPECT_ERROR(load_accounts("0,0,1,-1\n", "0,1,5,1\n"),
               "transactions.csv:2: targetNodeId: expected an integer from 0 to 0, found '1'");
  EXPECT_ERROR(load_accounts("0,0,1,-1\n", "0,0,-5,1\n"), "transactions.csv:2: value: expected a number from 0");
  EXPECT_ERROR(load_accounts("0,0,1,-1\n", "0,0,5,soon\n"), "transactions.csv:2: time: expected an integer");
  testing::ScratchFolder folder;
  folder.write("nodes.csv", "nodeid,isFraud\n");
  EXPECT_ERROR(load_amlsim(folder.path(), "amlsim"), "nodes.csv:1: expected 4 fields (nodeid,isFraud,init_balance,");
}

TEST(Amlsim, PublishedFilesHaveTheCountsOfTheReadme) {
  REQUIRE_REAL_DATA(folder, "amlsim");
  const Dataset data = load_amlsim(folder, "amlsim");
  data.validate();
  EXPECT_EQ(data.graph.num_nodes(), 20000);
  EXPECT_EQ(data.graph.num_edges(), 117341);
  EXPECT_EQ(data.labels.sum().item<int64_t>(), 1804);
  EXPECT_EQ(data.features.num_features(), 18);
  // Every transfer is received by one account and sent by one.
  const at::Tensor counts = data.features.dense().to(at::kDouble).expm1().sum(0);
  EXPECT_NEAR(counts[2].item<double>(), 120558, 0.5);
  EXPECT_NEAR(counts[10].item<double>(), 120558, 0.5);
}

}  // namespace
}  // namespace geniepath
