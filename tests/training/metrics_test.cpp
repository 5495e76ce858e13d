#include "geniepath/metrics.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "expect_error.h"
#include "training/evaluation.h"
#include "training/train_json.h"

namespace geniepath {
namespace {

TEST(Metrics, RankingByHand) {
  EXPECT_DOUBLE_EQ(roc_auc({0.9, 0.8, 0.7, 0.1}, {true, false, true, false}), 0.75);
  EXPECT_DOUBLE_EQ(roc_auc({0.5, 0.5}, {true, false}), 0.5);
  EXPECT_DOUBLE_EQ(average_precision({0.9, 0.8, 0.7, 0.1}, {true, false, true, false}), (1.0 + 2.0 / 3.0) / 2);
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
  const at::Tensor p =
      at::tensor({0.7f, 0.2f, 0.1f, 0.1f, 0.8f, 0.1f, 0.3f, 0.4f, 0.3f, 0.2f, 0.2f, 0.6f}).view({4, 3});
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

// Two nodes with 2 and 1 of 3 labels. Given those numbers, the first gets labels 0 and 2, the second label 1.
TEST(Metrics, AsManyLabelsAsANodeHasByHand) {
  const at::Tensor p = at::tensor({0.4f, 0.1f, 0.3f, 0.2f, 0.45f, 0.44f}).view({2, 3});
  const at::Tensor y = at::tensor({1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f}).view({2, 3});
  const Scores scores = score_label_count(p, y);
  EXPECT_DOUBLE_EQ(scores.micro_f1, 2.0 * 2 / (2 * 2 + 1 + 1));
  EXPECT_DOUBLE_EQ(scores.macro_f1, (1.0 + 0.0 + 2.0 / 3) / 3);
  EXPECT_EQ(score_predictions(Task::kMultiLabel, p, y, 0.5).micro_f1, 0.0);
  EXPECT_EQ(score_label_count(at::zeros({1, 3}), at::zeros({1, 3})).micro_f1, 0.0);
  // Ties go to the first label.
  EXPECT_DOUBLE_EQ(score_label_count(at::full({1, 2}, 0.5f), at::tensor({1.0f, 0.0f}).view({1, 2})).micro_f1, 1.0);
}

TEST(Metrics, TheBestThresholdIsTheBestOfAll) {
  at::manual_seed(4);
  const at::Tensor p = (at::rand({40, 5}) * 20).round() / 20, y = (at::rand({40, 5}) < p * 0.7).to(at::kFloat);
  for (const char* metric : {"macro_f1", "micro_f1"}) {
    const double found =
        score_predictions(Task::kMultiLabel, p, y, best_threshold(Task::kMultiLabel, p, y, metric)).by_name(metric);
    double best = 0;
    for (int step = 0; step <= 40; ++step) {
      best = std::max(best, score_predictions(Task::kMultiLabel, p, y, step / 40.0 - 0.01).by_name(metric));
    }
    EXPECT_DOUBLE_EQ(found, best) << metric;
  }
  const at::Tensor binary = at::tensor({0.9f, 0.2f, 0.3f, 0.1f}).unsqueeze(1),
                   positive = at::tensor({1, 0, 1, 0}, at::kLong);
  EXPECT_FLOAT_EQ(static_cast<float>(best_threshold(Task::kBinary, binary, positive, "f1")), 0.2f);
  EXPECT_EQ(score_predictions(Task::kBinary, binary, positive, 0.2f).f1, 1.0);
  const at::Tensor all = at::ones({4}, at::kLong);
  const double above = best_threshold(Task::kBinary, binary, all, "f1");
  EXPECT_EQ(score_predictions(Task::kBinary, binary, all, above).f1, 1.0) << "every decision is yes";
  EXPECT_EQ(best_threshold(Task::kBinary, at::zeros({4, 1}), all, "f1"), 0.5) << "no threshold is below 0";
  EXPECT_EQ(best_threshold(Task::kMultiClass, p, y, "accuracy"), 0.5);
  EXPECT_EQ(best_threshold(Task::kMultiLabel, at::zeros({0, 3}), at::zeros({0, 3}), "macro_f1"), 0.5);
}

TEST(Metrics, WhatIsNotANumberIsRefused) {
  EXPECT_ERROR(roc_auc({0.1, NAN, 0.3}, {true, false, true}), "roc_auc: score 1 of 3 is NaN");
  EXPECT_ERROR(average_precision({NAN, 0.2}, {true, false}), "average_precision: score 0 of 2 is NaN");
  EXPECT_EQ(roc_auc({INFINITY, -INFINITY}, {true, false}), 1.0);
  const at::Tensor y = at::tensor({0, 1}, at::kLong), labels = at::ones({2, 2});
  for (const float bad : {NAN, INFINITY}) {
    const at::Tensor p = at::tensor({0.1f, 0.9f, bad, 0.5f}).view({2, 2});
    EXPECT_ERROR(score_predictions(Task::kMultiClass, p, y, 0.5, {}, Rankings::kWithout),
                 "score_predictions: a probability");
    EXPECT_ERROR(score_predictions(Task::kMultiLabel, p, labels, 0.5), "score_predictions: a probability");
    EXPECT_ERROR(score_label_count(p, labels), "score_label_count: a probability");
    EXPECT_ERROR(best_threshold(Task::kMultiLabel, p, labels, "macro_f1"), "best_threshold: a probability");
  }
}

TEST(Metrics, OfNothingAreUndefined) {
  const Scores scores = score_predictions(Task::kMultiClass, at::zeros({0, 3}), at::zeros({0}, at::kLong), 0.5);
  for (const std::string& name : Scores::names()) EXPECT_TRUE(std::isnan(scores.by_name(name))) << name;
  EXPECT_ERROR(scores.by_name("f2"), "metric: 'f2' is not one of");
}

TEST(Metrics, RankingsOfOneClassAreUndefined) {
  for (const bool positive : {false, true}) {
    EXPECT_TRUE(std::isnan(roc_auc({0.1, 0.9}, {positive, positive})));
    EXPECT_TRUE(std::isnan(average_precision({0.1, 0.9}, {positive, positive})));
  }
  const Scores scores = score_predictions(Task::kBinary, at::full({2, 1}, 0.2), at::zeros({2}, at::kLong), 0.5);
  EXPECT_EQ(scores.accuracy, 1.0);
  EXPECT_TRUE(std::isnan(scores.roc_auc));
  EXPECT_NE(to_json(scores).dump().find("\"roc_auc\":null"), std::string::npos);
  EXPECT_TRUE(std::isnan(score_from_json(nullptr)));
}

TEST(Metrics, ARankingDoesNotChooseAmongNodesOfOneClass) {
  Dataset data;
  data.name = "accounts", data.task = Task::kBinary, data.num_classes = 2;
  data.labels = at::tensor({0, 1, 0, 0}, at::kLong);
  data.train = {0, 1}, data.valid = {2, 3};
  TrainConfig config;
  config.metric = "roc_auc";
  EXPECT_ERROR(training::check_metric(config, data), "accounts: roc_auc is undefined for the validation nodes");
  data.valid.clear();
  training::check_metric(config, data);
  data.train = {1};
  EXPECT_ERROR(training::check_metric(config, data), "accounts: roc_auc is undefined for the training nodes");
  config.metric = "f1";
  training::check_metric(config, data);
}

}  // namespace
}  // namespace geniepath
