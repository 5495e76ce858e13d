#include "data/formats/bitcoin_otc.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "expect_error.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

constexpr const char* kMaskHeader = "node,train_mask,val_mask,test_mask,label,is_anchor\n";

// Member 9 rates 4 well and, a day later, 7 badly; 4 rates 7 badly after a further day.
std::map<std::string, std::string> small_files() {
  return {{"otc_network.csv", "9,4,5,86400\n9,7,-10,172800\n4,7,-2,259200\n"},
          {"otc_gt.csv", "4,+1\n7,-1\n"},
          {"masks_0.csv", std::string(kMaskHeader) + "7,1,0,0,1,1\n4,0,0,1,0,1\n9,1,0,0,0,0\n"},
          {"masks_1.csv", std::string(kMaskHeader) + "7,0,1,0,1,1\n4,1,0,0,0,1\n9,1,0,0,0,0\n"}};
}

// The small files with one replaced.
Dataset load_ratings(const std::string& file = "", const std::string& text = "", int64_t split = 0) {
  testing::ScratchFolder folder;
  auto files = small_files();
  if (!file.empty()) files[file] = text;
  for (const auto& [name, content] : files) folder.write(name, content);
  return load_bitcoin_otc(folder.path(), "bitcoin-otc", split);
}
Dataset load_masks(const std::string& rows) { return load_ratings("masks_0.csv", kMaskHeader + rows); }

TEST(BitcoinOtc, RatingsBecomeEdgesFromRaterToRated) {
  const Dataset data = load_ratings();
  data.validate();
  EXPECT_EQ(data.node_names, (std::vector<std::string>{"4", "7", "9"}));
  EXPECT_EQ(data.graph.num_edges(), 3);
  EXPECT_EQ(data.graph.incoming().degree(1), 2);
  EXPECT_EQ(data.graph.incoming().degree(2), 0);
  EXPECT_TRUE(data.labels.equal(at::tensor({0, 1, -1}, at::kLong)));
}

TEST(BitcoinOtc, FeaturesAreThoseDocumented) {
  const at::Tensor features = load_ratings().features.dense();
  ASSERT_EQ(features.size(1), 14);
  const auto expect_row = [&](int64_t node, const std::vector<double>& row) {
    for (size_t i = 0; i < row.size(); ++i) {
      const auto column = static_cast<int64_t>(i);
      EXPECT_FLOAT_EQ(features[node][column].item<float>(), static_cast<float>(row[i])) << node << ' ' << i;
    }
  };
  const double one = std::log1p(1), two = std::log1p(2);
  expect_row(0, {one, .5, 0, .5, .5, 0, 0, one, -.2, 0, -.2, -.2, 1, 0});
  expect_row(1, {two, -.6, .4, -1, -.2, 1, one, 0, 0, 0, 0, 0, 0, 0});
  expect_row(2, {0, 0, 0, 0, 0, 0, 0, two, -.25, .75, -1, .5, .5, one});
}

TEST(BitcoinOtc, OnlyAnchorsAreSplit) {
  const Dataset first = load_ratings(), second = load_ratings("", "", 1);
  EXPECT_EQ(first.train, std::vector<NodeId>{1});
  EXPECT_TRUE(first.valid.empty());
  EXPECT_EQ(first.test, std::vector<NodeId>{0});
  EXPECT_EQ(second.train, std::vector<NodeId>{0});
  EXPECT_EQ(second.valid, std::vector<NodeId>{1});
  EXPECT_TRUE(first.features.dense().equal(second.features.dense())) << "the split must not touch the features";
}

TEST(BitcoinOtc, SaysWhatIsWrong) {
  EXPECT_ERROR(load_ratings("otc_network.csv", "1,2,11,5\n"),
               "otc_network.csv:1: rating: expected a number from -10 to 10, found '11'");
  EXPECT_ERROR(load_ratings("otc_network.csv", "1,2,0,5\n"), "otc_network.csv:1: rating: expected -10 to 10 without 0");
  EXPECT_ERROR(load_ratings("otc_network.csv", "1,2,3,nan\n"), "otc_network.csv:1: time: expected a number from 0");
  EXPECT_ERROR(load_ratings("otc_network.csv", "1,x,3,5\n"), "otc_network.csv:1: rated: expected an integer");
  EXPECT_ERROR(load_ratings("otc_network.csv", "1,2,3\n"), "expected 4 fields (rater,rated,rating,time), found 3");
  EXPECT_ERROR(load_ratings("otc_gt.csv", "5,+1\n"), "otc_gt.csv:1: node: member 5 is in no row of otc_network.csv");
  EXPECT_ERROR(load_ratings("otc_gt.csv", "4,2\n"), "otc_gt.csv:1: label: expected an integer from -1 to 1, found '2'");
  EXPECT_ERROR(load_ratings("otc_gt.csv", "4,0\n"), "otc_gt.csv:1: label: expected +1 or -1, found 0");
  EXPECT_ERROR(load_ratings("otc_gt.csv", "4,+1\n4,+1\n"), "otc_gt.csv:2: node: member 4 occurs twice");
  EXPECT_ERROR(load_masks("7,1,0,0,0,1\n"), "masks_0.csv:2: label: 0, but by otc_gt.csv it is 1 (1: fraud)");
  EXPECT_ERROR(load_masks("7,1,0,0,1,0\n"), "masks_0.csv:2: is_anchor: 0, but otc_gt.csv has a label");
  EXPECT_ERROR(load_masks("9,1,0,0,0,1\n"), "masks_0.csv:2: is_anchor: 1, but otc_gt.csv has no label");
  EXPECT_ERROR(load_masks("7,1,0,1,1,1\n"), "expected exactly one of the three masks to be 1, found 2");
  EXPECT_ERROR(load_masks("7,1,0,0,1,1\n7,1,0,0,1,1\n"), "masks_0.csv:3: node: member 7 occurs twice");
  EXPECT_ERROR(load_masks("8,1,0,0,1,1\n"), "masks_0.csv:2: node: member 8 is in no row");
  EXPECT_ERROR(load_ratings("", "", 2), "masks_2.csv: cannot open");
}

TEST(BitcoinOtc, PublishedFilesHaveTheCountsOfTheReadme) {
  REQUIRE_REAL_DATA(folder, "bitcoin-otc");
  const std::vector<std::array<size_t, 3>> sizes{{200, 58, 58}, {203, 56, 57}, {208, 53, 55}};
  for (size_t split = 0; split < sizes.size(); ++split) {
    const Dataset data = load_bitcoin_otc(folder, "bitcoin-otc", static_cast<int64_t>(split));
    data.validate();
    EXPECT_EQ(data.graph.num_nodes(), 5881);
    EXPECT_EQ(data.graph.num_edges(), 35592);
    EXPECT_EQ(data.labels.eq(1).sum().item<int64_t>(), 180);
    EXPECT_EQ(data.labels.eq(0).sum().item<int64_t>(), 136);
    EXPECT_EQ(data.train.size(), sizes[split][0]);
    EXPECT_EQ(data.valid.size(), sizes[split][1]);
    EXPECT_EQ(data.test.size(), sizes[split][2]);
  }
}

}  // namespace
}  // namespace geniepath
