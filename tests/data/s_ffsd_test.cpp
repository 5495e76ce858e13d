#include "data/formats/s_ffsd.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/file.h"
#include "expect_error.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

constexpr const char* kPaymentHeader = "Time,Source,Target,Amount,Location,Type,Labels\n";

Dataset load_payments(const std::string& rows) {
  testing::ScratchFolder folder;
  folder.write("S-FFSD.csv", kPaymentHeader + rows);
  return load_s_ffsd(folder.path(), "s-ffsd");
}

std::vector<NodeId> senders_to(const Dataset& data, NodeId node) {
  const auto list = data.graph.incoming().neighbours(node);
  return {list.begin(), list.end()};
}

// One source pays four targets in four places by four types; the fourth repeats the first's target.
const char* const kOneSource = "0,s,t0,1,l0,p0,0\n2,s,t1,3,l1,p1,1\n5,s,t2,7,l2,p2,2\n9,s,t0,15,l3,p3,0\n";

TEST(Sffsd, MessagesRunFromTheTwoPrecedingPaymentsOfEveryParty) {
  const Dataset data = load_payments(kOneSource);
  data.validate();
  EXPECT_TRUE(senders_to(data, 0).empty());
  EXPECT_EQ(senders_to(data, 1), (std::vector<NodeId>{0}));
  EXPECT_EQ(senders_to(data, 2), (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(senders_to(data, 3), (std::vector<NodeId>{0, 1, 2})) << "0 by the target, 1 and 2 by the source";
  EXPECT_TRUE(data.labels.equal(at::tensor({0, 1, -1, 0}, at::kLong)));
}

TEST(Sffsd, FeaturesAreThoseDocumented) {
  const at::Tensor features = load_payments(kOneSource).features.dense();
  ASSERT_EQ(features.size(1), 20);
  const double two = std::log(2);  // the amounts give a = ln 2, 2 ln 2, 3 ln 2, 4 ln 2
  std::vector<double> fourth(20, 0);
  fourth[0] = 4 * two;
  fourth[1] = std::log1p(3), fourth[2] = std::log1p(4), fourth[3] = 2 * two, fourth[4] = 2 * two;  // the source
  fourth[5] = two, fourth[6] = std::log1p(9), fourth[7] = two, fourth[8] = 3 * two;                // the target
  fourth[17] = two;  // one earlier payment of the source to the target
  for (size_t i = 0; i < fourth.size(); ++i) {
    EXPECT_FLOAT_EQ(features[3][static_cast<int64_t>(i)].item<float>(), static_cast<float>(fourth[i])) << i;
  }
  EXPECT_EQ(features[0].count_nonzero().item<int64_t>(), 1) << "nothing is known before the first payment";
}

TEST(Sffsd, TheSplitIsByTimeAmongLabelledPayments) {
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i) + ",s,t,1,l,p," + (i % 2 == 0 ? "2" : i % 4 == 1 ? "0" : "1") + "\n";
  }
  const Dataset data = load_payments(rows);
  EXPECT_EQ(data.train.size(), 10u);
  EXPECT_EQ(data.valid, (std::vector<NodeId>{21, 23}));
  EXPECT_EQ(data.test.size(), 8u);
  EXPECT_EQ(data.train.back(), 19);
  EXPECT_EQ(data.test.front(), 25);
}

TEST(Sffsd, SaysWhatIsWrong) {
  EXPECT_ERROR(load_payments("5,s,t,1,l,p,0\n4,s,t,1,l,p,0\n"),
               "S-FFSD.csv:3: Time: expected a number from 5 to 1e+15, found '4'");
  EXPECT_ERROR(load_payments("0,s,t,-1,l,p,0\n"), "S-FFSD.csv:2: Amount: expected a number from 0");
  EXPECT_ERROR(load_payments("0,s,t,1,l,p,3\n"), "S-FFSD.csv:2: Labels: expected an integer from 0 to 2, found '3'");
  EXPECT_ERROR(load_payments("0,s,,1,l,p,0\n"), "S-FFSD.csv:2: Target: expected a name, found nothing");
  EXPECT_ERROR(load_payments("0,s,t,1,l,p\n"), "S-FFSD.csv:2: expected 7 fields");
  testing::ScratchFolder folder;
  folder.write("S-FFSD.csv", "Time,Source,Target,Amount,Location,Kind,Labels\n");
  EXPECT_ERROR(load_s_ffsd(folder.path(), "s-ffsd"), "S-FFSD.csv:1: column 6 is called 'Kind', expected 'Type'");
}

TEST(Sffsd, PublishedFileHasTheCountsOfTheReadme) {
  REQUIRE_REAL_DATA(folder, "s-ffsd");
  const Dataset data = load_s_ffsd(folder, "s-ffsd");
  data.validate();
  EXPECT_EQ(data.graph.num_nodes(), 77881);
  EXPECT_EQ(data.graph.num_edges(), 335139);
  EXPECT_EQ(data.labels.eq(1).sum().item<int64_t>(), 5256);
  EXPECT_EQ(data.labels.eq(0).sum().item<int64_t>(), 24387);
  EXPECT_EQ(data.labels.eq(-1).sum().item<int64_t>(), 48238);
  EXPECT_EQ(data.train.size(), 14821u);
  EXPECT_EQ(data.valid.size(), 2964u);
  EXPECT_EQ(data.test.size(), 11858u);
  EXPECT_LT(data.train.back(), data.valid.front());
  EXPECT_LT(data.valid.back(), data.test.front());
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
    const std::vector<NodeId> senders = senders_to(data, node);
    ASSERT_LE(senders.size(), 8u) << node;
    ASSERT_TRUE(senders.empty() || senders.back() < node) << node << " hears from a later payment";
    ASSERT_LE(data.graph.outgoing().degree(node), 8) << node;
  }
}

// Cutting the file off changes nothing about the payments before: no feature and no edge uses the future.
TEST(Sffsd, PublishedPaymentsDoNotDependOnLaterOnes) {
  REQUIRE_REAL_DATA(folder, "s-ffsd");
  const std::string text = read_text(folder / "S-FFSD.csv");
  testing::ScratchFolder cut;
  cut.write("S-FFSD.csv", text.substr(0, text.find('\n', text.size() / 3) + 1));
  const Dataset all = load_s_ffsd(folder, "s-ffsd"), early = load_s_ffsd(cut.path(), "s-ffsd");
  const NodeId nodes = early.graph.num_nodes();
  ASSERT_GT(nodes, 10000);
  EXPECT_TRUE(all.features.dense().slice(0, 0, nodes).equal(early.features.dense()));
  for (NodeId node = 0; node < nodes; ++node) ASSERT_EQ(senders_to(all, node), senders_to(early, node)) << node;
}

}  // namespace
}  // namespace geniepath
