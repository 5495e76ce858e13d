#include "training/length_accuracy.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace geniepath {
namespace {

TEST(LengthAccuracy, IsThatOfTheTestNodesOfEachLength) {
  Dataset data;
  data.labels = at::tensor(std::vector<int64_t>{0, 1, 1, 0, 1});
  data.num_classes = 2;
  data.test = {0, 1, 2, 4};  // node 3 is right, but no test node
  const at::Tensor p = at::tensor({0.9f, 0.1f, 0.8f, 0.2f, 0.3f, 0.7f, 0.9f, 0.1f, 0.6f, 0.4f}).view({5, 2});
  EXPECT_TRUE(training::accuracy_by_length(data, p, 0.5).empty()) << "lengths are unknown";
  data.path_length = {2, 0, 2, 0, 2};
  const auto lengths = training::accuracy_by_length(data, p, 0.5);
  ASSERT_EQ(lengths.size(), 2u);
  EXPECT_EQ(lengths[0].length, 0);
  EXPECT_EQ(lengths[0].nodes, 1);
  EXPECT_EQ(lengths[0].accuracy, 0);
  EXPECT_EQ(lengths[1].length, 2);
  EXPECT_EQ(lengths[1].nodes, 3);
  EXPECT_NEAR(lengths[1].accuracy, 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace geniepath
