#include "geniepath/predictor.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <future>

#include "base/file.h"
#include "expect_error.h"
#include "geniepath/explain.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath {
namespace {

class PredictorOfARun : public ::testing::Test {
 protected:
  void SetUp() override {
    RunRequest request;
    request.data.size = 1000;
    request.recipe.model.hidden = 8;
    request.recipe.model.dropout = 0.3;
    request.recipe.train.epochs = 5;
    request.transforms = [](const Dataset&) {
      TransformOptions options;
      options.feature_transform = FeatureTransform::kStandardise;
      return options;
    };
    result_ = train(request, folder_);
  }
  testing::ScratchFolder scratch_;
  RunFolder folder_{scratch_ / "run"};
  TrainResult result_;
};

TEST_F(PredictorOfARun, GivesTheScoresOfTheTraining) {
  const Predictor predictor(folder_);
  const Dataset data = predictor.load_data();
  EXPECT_EQ(predictor.threshold(), result_.threshold);
  EXPECT_EQ(evaluate(*predictor.model(), data, chosen_protocol(predictor.description().train, data), "f1").test.f1,
            result_.test.f1);
  EXPECT_TRUE(predictor.predict(data).equal(predict(*load_model(folder_), data)));
  EXPECT_EQ(predictor.embed(data).size(1), 8);
}

TEST(Predictor, OfAnUnfinishedRunChoosesItsThresholdOnTheData) {
  testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  RunRequest request;
  request.data.size = 1000;
  request.recipe.model.hidden = 8;
  request.recipe.train.epochs = 5;
  request.recipe.train.threshold = Protocol::kTuned;
  const double threshold = train(request, folder).threshold;
  ASSERT_NE(threshold, 0.5);
  std::filesystem::remove(folder.file("result.json"));
  const Predictor predictor(folder);
  EXPECT_FALSE(predictor.has_threshold());
  EXPECT_EQ(predictor.threshold(), 0.5);
  EXPECT_EQ(predictor.threshold(predictor.load_data()), threshold);
}

TEST_F(PredictorOfARun, AnswersManyThreadsAlike) {
  const Predictor predictor(folder_);
  const Dataset data = predictor.load_data();
  const at::Tensor alone = predictor.predict(data);
  std::vector<std::future<at::Tensor>> answers;
  for (int n = 0; n < 8; ++n)
    answers.push_back(std::async(std::launch::async, [&] { return predictor.predict(data); }));
  for (auto& answer : answers) EXPECT_TRUE(answer.get().equal(alone));
}

TEST_F(PredictorOfARun, PreparesOtherDataAsItsOwn) {
  const Predictor predictor(folder_);
  const RunDescription& run = predictor.description();
  const Dataset raw = load_dataset(run.data), data = predictor.load_data();
  EXPECT_TRUE(predictor.predict(predictor.prepare(raw)).equal(predictor.predict(data)));
  const NodeId node = raw.test.front();
  const Explainer explainer(predictor.model(), data);
  UnseenNodes unseen;
  unseen.features = predictor.prepare(raw.features.select_rows({&node, 1}));
  for (const NodeId other : data.graph.incoming().neighbours(node))
    unseen.edges.emplace_back(data.graph.num_nodes(), other);
  const float score = explainer.score(unseen)[0][0].item<float>();
  EXPECT_TRUE(score > 0 && score < 1) << score;
  EXPECT_ERROR(predictor.prepare(testing::ring_data()), "no fitted tensor 'mean'");
}

TEST_F(PredictorOfARun, TakesBackWeightsTrainedElsewhere) {
  const auto text = [&](const char* name) { return read_text(folder_.file(name)); };
  const std::string before = text("best.safetensors");
  const auto model = load_model(folder_);
  save_model(folder_, *model);
  EXPECT_EQ(text("best.safetensors"), before);
  EXPECT_TRUE(std::filesystem::exists(folder_.file("result.json"))) << "the same weights have the same scores";
  model->parameters().front().data().mul_(2);
  save_model(folder_, *model);
  EXPECT_TRUE(load_model(folder_)->parameters().front().equal(model->parameters().front()));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("result.json")));
  const std::string kept = text("best.safetensors");
  model->parameters().front().data().fill_(std::numeric_limits<float>::infinity());
  EXPECT_ERROR(save_model(folder_, *model), "save_model: ");
  EXPECT_ERROR(save_model(folder_, *make_model({}, 3, 1, 1)), "save_model");
  EXPECT_EQ(text("best.safetensors"), kept);
}

TEST(Predicting, LeavesTheCallersModelAsItIs) {
  const Dataset data = testing::ring_data();
  ModelConfig config;
  config.dropout = 0.5;
  const auto model = make_model(config, data.features.num_features(), data.num_classes, 1);
  model->train();
  const at::Tensor first = predict(*model, data);
  EXPECT_TRUE(model->is_training());
  EXPECT_TRUE(predict(*model, data).equal(first)) << "nothing is dropped in a prediction";
}

}  // namespace
}  // namespace geniepath
