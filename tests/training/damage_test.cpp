// Damaged runs and non-finite numbers are refused, never used.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "expect_error.h"
#include "flipped_bits.h"
#include "geniepath/explain.h"
#include "geniepath/run.h"
#include "io/safetensors.h"
#include "run/description_json.h"
#include "run/run_threshold.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath {
namespace {

RunDescription small_run(const Dataset& data, const std::string& model = "geniepath") {
  RunDescription run;
  run.model.model = model;
  run.model.hidden = 3;
  run.model.depth = 1;
  run.train.epochs = 2;
  run.task = data.task;
  run.features = data.features.num_features();
  run.classes = data.num_classes;
  return run;
}

class DamagedRun : public ::testing::Test {
 protected:
  DamagedRun() {
    const RunDescription run = small_run(data_);
    folder_.create(run, {}, false);
    train(data_, run, folder_, {});
  }

  // Rewrites the run's file after `change`, with a valid checksum.
  template <class Change>
  void change_tensors(const char* name, const Change& change) {
    TensorFile file = read_safetensors(folder_.file(name));
    for (auto& [_, tensor] : file.tensors) tensor = tensor.clone();
    change(file.tensors);
    write_safetensors(folder_.file(name), file);
  }

  testing::ScratchFolder scratch_;
  const Dataset data_ = testing::ring_data(3, 8);
  const RunFolder folder_{scratch_ / "run"};
};

TEST_F(DamagedRun, AFlippedBitOfItsWeightsIsSeenOrChangesNothing) {
  const at::Tensor whole = predict(*load_model(folder_), data_);
  testing::for_flipped_bits(read_text(folder_.file("best.safetensors")), 400,
                            [&](const std::string& flipped, size_t bit) {
                              scratch_.write("run/best.safetensors", flipped);
                              try {
                                EXPECT_TRUE(predict(*load_model(folder_), data_).equal(whole)) << bit;
                              } catch (const Error&) {
                              }
                            });
}

TEST_F(DamagedRun, AFlippedBitOfItsDescriptionIsSeenOrChangesNothing) {
  const std::string whole = to_json(folder_.description()).dump();
  testing::for_flipped_bits(read_text(folder_.file("model.json")), 400, [&](const std::string& flipped, size_t bit) {
    scratch_.write("run/model.json", flipped);
    try {
      EXPECT_EQ(to_json(folder_.description()).dump(), whole) << bit;
    } catch (const Error&) {
    }
  });
}

TEST_F(DamagedRun, ADescriptionChangedByHandSaysHowToKeepTheChange) {
  std::string text = read_text(folder_.file("model.json"));
  text.replace(text.find("\"seed\": 1"), 9, "\"seed\": 2");
  scratch_.write("run/model.json", text);
  EXPECT_ERROR(folder_.description(),
               "model.json: damaged, or changed since it was written: its checksum does not match; "
               "remove the line 'checksum' if the change is intended");
  auto json = nlohmann::ordered_json::parse(text);
  json.erase("checksum");
  scratch_.write("run/model.json", json.dump());
  EXPECT_EQ(folder_.description().train.seed, 2);
}

TEST_F(DamagedRun, ANestedDescriptionOrResultIsRefused) {
  const std::string deep(800'000, '[');
  scratch_.write("run/result.json", "{\"threshold\": " + deep);
  EXPECT_ERROR(run::run_threshold(folder_), "result.json: lists and objects nested");
  scratch_.write("run/model.json", "{\"format\": " + deep);
  EXPECT_ERROR(folder_.description(), "model.json: lists and objects nested");
}

TEST_F(DamagedRun, WeightsThatAreNotFiniteAreRefused) {
  for (const float bad : {NAN, INFINITY}) {
    change_tensors("best.safetensors", [&](auto& tensors) { tensors.at("w_y").flatten()[2].fill_(bad); });
    EXPECT_ERROR(load_model(folder_), "best.safetensors: tensor 'w_y' holds numbers that are NaN or infinite");
  }
  RunDescription longer = small_run(data_);
  longer.train.epochs = 4;
  change_tensors("best.safetensors", [](auto& tensors) { tensors.at("w_y").fill_(0); });
  change_tensors("last.safetensors", [](auto& tensors) { tensors.at("adam.m.w_y").fill_(NAN); });
  EXPECT_ERROR(train(data_, longer, folder_, {}, true), "last.safetensors: tensor 'adam.m.w_y' holds");
}

TEST_F(DamagedRun, PredictionsThatAreNotFiniteAreRefused) {
  const auto model = load_model(folder_);
  const at::NoGradGuard no_grad;
  model->named_parameters()["w_y"].fill_(NAN);
  constexpr const char* kSaid = "predictions: 24 of 24 nodes get NaN or infinite numbers";
  EXPECT_ERROR(predict(*model, data_), kSaid);
  EXPECT_ERROR(Explainer(model, data_), kSaid);
  EXPECT_ERROR(evaluate(*model, data_, data_.test), "predictions: 8 of 8 nodes");
  EXPECT_ERROR(evaluate(*model, data_, Protocol::kHalf, "accuracy"), "predictions: ");
}

// Each weight is finite, but the embeddings are not.
TEST(Embedding, ThatIsNotFiniteIsRefused) {
  const Dataset data = testing::ring_data(3, 8);
  const auto model = make_model(small_run(data, "gcn").model, data.features.num_features(), 3, 1);
  const at::NoGradGuard no_grad;
  for (at::Tensor& weight : model->parameters()) weight.fill_(3e38f);
  EXPECT_ERROR(predict(*model, data), "predictions: 24 of 24 nodes get NaN or infinite numbers");
  EXPECT_ERROR(embed(*model, data), "embedding: 24 of 24 nodes get NaN or infinite numbers");
}

// The loss of the first step is finite, but the step is so long that products of weights then overflow.
TEST(Train, StepsThatLeaveTheNumbersBehindEndTheRun) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data(3, 8);
  RunDescription run = small_run(data, "gcn");
  run.train.learning_rate = 1e30;
  const RunFolder folder(scratch / "run");
  folder.create(run, {}, false);
  EXPECT_ERROR(train(data, run, folder, {}), "training: ");
  EXPECT_FALSE(std::filesystem::exists(folder.file("best.safetensors")));
}

}  // namespace
}  // namespace geniepath
