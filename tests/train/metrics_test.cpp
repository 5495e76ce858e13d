#include "geniepath/metrics.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "expect_error.h"

namespace geniepath {
namespace {

TEST(Metrics, RankingByHand) {
  EXPECT_DOUBLE_EQ(roc_auc({0.9, 0.8, 0.7, 0.1}, {true, false, true, false}), 0.75);
  EXPECT_DOUBLE_EQ(roc_auc({0.5, 0.5}, {true, false}), 0.5);
  EXPECT_DOUBLE_EQ(roc_auc({0.5}, {true}), 0.0);
  EXPECT_DOUBLE_EQ(average_precision({0.9, 0.8, 0.7, 0.1}, {true, false, true, false}), (1.0 + 2.0 / 3.0) / 2);
  EXPECT_DOUBLE_EQ(average_precision({0.1, 0.9}, {false, false}), 0.0);
}

TEST(Metrics, BinaryByHand) {
  const at::Tensor p = at::tensor({0.9f, 0.8f, 0.4f, 0.6f, 0.1f}).unsqueeze(1);
  const at::Tensor y = at::tensor({1, 0, 1, 1, 0}, at::kLong);
  const Scores scores = score_predictions(Task::kBinary, p, y, 0.5, {"normal", "malicious"});
  EXPECT_DOUBLE_EQ(scores.accuracy, 3.0 / 5);
  EXPECT_DOUBLE_EQ(scores.f1, 2.0 * 2 / (2 * 2 + 1 + 1));
  EXPECT_DOUBLE_EQ(scores.micro_f1, 3.0 / 5);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (2.0 / 3 + 0.5) / 2);
  EXPECT_EQ(scores.classes[1].name, "malicious");
  EXPECT_EQ(scores.classes[1].positives, 3);
  EXPECT_DOUBLE_EQ(scores.roc_auc, 4.0 / 6);
  EXPECT_DOUBLE_EQ(score_predictions(Task::kBinary, p, y, 0.05).classes[1].recall, 1.0);
}

TEST(Metrics, MultiClassByHand) {
  const at::Tensor p = at::tensor({0.7f, 0.2f, 0.1f, 0.1f, 0.8f, 0.1f, 0.3f, 0.4f, 0.3f, 0.2f, 0.2f, 0.6f}).view({4, 3});
  const Scores scores = score_predictions(Task::kMultiClass, p, at::tensor({0, 1, 2, 2}, at::kLong), 0.5);
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.75);
  EXPECT_DOUBLE_EQ(scores.micro_f1, 0.75);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (1.0 + 2.0 / 3 + 2.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(scores.f1, scores.macro_f1);
}

TEST(Metrics, MultiLabelByHand) {
  const at::Tensor p = at::tensor({0.9f, 0.1f, 0.8f, 0.7f}).view({2, 2});
  const at::Tensor y = at::tensor({1.0f, 0.0f, 0.0f, 1.0f}).view({2, 2});
  const Scores scores = score_predictions(Task::kMultiLabel, p, y, 0.5);
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.75);
  EXPECT_DOUBLE_EQ(scores.micro_f1, 4.0 / 5);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (2.0 / 3 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(scores.f1, scores.micro_f1);
}

TEST(Metrics, NoNodesScoreZero) {
  const Scores scores = score_predictions(Task::kMultiClass, at::zeros({0, 3}), at::zeros({0}, at::kLong), 0.5);
  for (const std::string& name : Scores::names()) EXPECT_EQ(scores.by_name(name), 0.0) << name;
  EXPECT_ERROR(scores.by_name("f2"), "metric: 'f2' is not one of");
}

}  // namespace
}  // namespace geniepath
