#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "data/transforms/one_hot.h"
#include "expect_error.h"
#include "geniepath/run.h"
#include "io/safetensors.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "training/small_data.h"
#include "training/train_json.h"
#include "walk/planted_graph.h"

namespace geniepath {
namespace {

constexpr NodeId kHalf = 100;

// Communities as classes, with a few labelled nodes.
Dataset community_data(bool node_ids) {
  Dataset data;
  data.name = "communities";
  data.graph = testing::planted_graph(kHalf, 8, 1, 4);
  data.labels = (at::arange(2 * kHalf) >= kHalf).to(at::kLong);
  data.num_classes = 2;
  if (node_ids) {
    data.features = one_hot_ids(2 * kHalf);
  } else {
    at::manual_seed(1);
    data.features = Features(at::randn({2 * kHalf, 8}));
  }
  for (NodeId i = 0; i < 2 * kHalf; ++i) (i % 10 == 0 ? data.train : i % 10 == 1 ? data.valid : data.test).push_back(i);
  return data;
}

RunDescription walk_description_of(const Dataset& data, const std::string& model) {
  RunDescription run;
  run.model.model = model;
  if (is_walk_model(model)) {
    set_walk_defaults(run);
  } else {
    run.train.objective = Objective::kWalks;
    run.train.epochs = 100;
    run.model.bias = true;
    run.model.depth = 2;
  }
  run.model.hidden = 16;
  run.walk.walk_length = 20;
  run.walk.window = 5;
  run.task = data.task;
  run.features = data.features.num_features();
  run.classes = data.num_classes;
  return run;
}

TrainResult train_in(const std::filesystem::path& path, const Dataset& data, const RunDescription& run,
                     TrainHooks hooks = {}) {
  const RunFolder folder(path);
  folder.create(run, {}, false);
  return train(data, run, folder, hooks);
}

TEST(WalkTraining, Node2VecKnowsCommunitiesFromAFewLabels) {
  testing::ScratchFolder scratch;
  const Dataset data = community_data(true);
  for (const char* model : {"node2vec", "deepwalk"}) {
    const TrainResult result = train_in(scratch / model, data, walk_description_of(data, model));
    EXPECT_GT(result.test.accuracy, 0.95) << model;
    EXPECT_EQ(result.epochs, 10);
    const auto loaded = load_model(RunFolder(scratch / model));
    EXPECT_EQ(to_json(evaluate(*loaded, data, data.test)), to_json(result.test));
    EXPECT_EQ(embed(*loaded, data).sizes(), (std::vector<int64_t>{2 * kHalf, 16}));
  }
}

TEST(WalkTraining, AnyModelLearnsFromWalksWithoutLabels) {
  testing::ScratchFolder scratch;
  const Dataset data = community_data(true);
  for (const char* model : {"geniepath", "geniepath-lazy", "mlp"}) {
    RunDescription run = walk_description_of(data, model);
    run.train.learning_rate = 0.02;
    std::vector<double> loss;
    const TrainResult result =
        train_in(scratch / model, data, run, {[&](const EpochRecord& record) { loss.push_back(record.loss); }, {}});
    if (model != std::string("mlp")) {  // whose units are not negative
      EXPECT_LT(loss.back(), loss.front() - 0.05) << model;
    }
    EXPECT_GT(result.test.accuracy, 0.9) << model;
  }
}

TEST(WalkTraining, TakesTrainingGraphsAloneWhereTheDataIsInductive) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  Dataset other = data;  // the same training graphs, with other test graphs
  other.features = Features(data.features.dense().clone());
  for (const auto* nodes : {&data.valid, &data.test}) {
    for (const NodeId node : *nodes) other.features.dense()[node].fill_(0.5f);
  }
  RunDescription run = walk_description_of(data, "geniepath");
  run.train.epochs = 2;
  const TrainResult result = train_in(scratch / "a", data, run);
  train_in(scratch / "b", other, run);
  const auto learned = read_safetensors(scratch / "a/last.safetensors").tensors;
  const auto beside_others = read_safetensors(scratch / "b/last.safetensors").tensors;
  ASSERT_FALSE(learned.empty());
  for (const auto& [name, tensor] : learned) EXPECT_TRUE(tensor.equal(beside_others.at(name))) << name;
  EXPECT_EQ(result.test.classes.size(), 3u);
  EXPECT_EQ(embed(*load_model(RunFolder(scratch / "a")), data).size(0), data.graph.num_nodes());
}

TEST(WalkTraining, AResumedRunEndsInTheSameBits) {
  testing::ScratchFolder scratch;
  const Dataset data = community_data(true);
  for (const std::string model : {"node2vec", "geniepath"}) {
    RunDescription run = walk_description_of(data, model);
    run.train.epochs = 6;
    run.model.dropout = model == "geniepath" ? 0.2 : 0;
    train_in(scratch / (model + "-whole"), data, run);
    int64_t epoch = 0;
    const auto cut = scratch / (model + "-cut");
    const TrainResult stopped = train_in(cut, data, run, {[&](const EpochRecord& record) { epoch = record.epoch; },
                                                          [&] { return epoch == 2; }});
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_EQ(RunFolder(cut).epochs_done(), 2);
    train(data, run, RunFolder(cut), {}, true);
    for (const char* file : {"last.safetensors", "best.safetensors"}) {
      EXPECT_EQ(read_text(cut / file), read_text(scratch / (model + "-whole") / file)) << model << " " << file;
    }
    const std::string lines = read_text(cut / "metrics.jsonl");
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 6);
  }
}

TEST(WalkTraining, BitsDoNotDependOnThreads) {
  testing::ScratchFolder scratch;
  const Dataset data = community_data(true);
  const int before = at::get_num_threads();
  for (const std::string model : {"node2vec", "geniepath"}) {
    RunDescription run = walk_description_of(data, model);
    run.train.epochs = 3;
    for (const int threads : {1, 3}) {
      at::set_num_threads(threads);
      train_in(scratch / (model + std::to_string(threads)), data, run);
    }
    at::set_num_threads(before);
    EXPECT_EQ(read_text(scratch / (model + "1") / "best.safetensors"),
              read_text(scratch / (model + "3") / "best.safetensors"))
        << model;
  }
}

TEST(WalkTraining, SaysWhatDoesNotFit) {
  testing::ScratchFolder scratch;
  const Dataset data = community_data(false);
  EXPECT_ERROR(train_in(scratch / "a", data, walk_description_of(data, "node2vec")),
               "node2vec: 8 features for 200 nodes, expected one-hot node ids");
  RunDescription run = walk_description_of(data, "geniepath");
  run.model.bias = run.model.output_bias = false;
  EXPECT_ERROR(train_in(scratch / "b", data, run), "needs a linear output layer with biases");
  run = walk_description_of(community_data(true), "deepwalk");
  run.walk.q = 2;
  EXPECT_ERROR(train_in(scratch / "c", community_data(true), run),
               "deepwalk: p = 1 and q = 2, expected 1; use node2vec for other values");
}

}  // namespace
}  // namespace geniepath
