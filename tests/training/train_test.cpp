#include "geniepath/run.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "data/account_device/account_device.h"
#include "expect_error.h"
#include "geniepath/tensor_memory.h"
#include "kernels/cpu/matmul.h"
#include "run/description_json.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "training/batch.h"
#include "training/small_data.h"
#include "training/train_json.h"

namespace geniepath {
namespace {

RunDescription description_of(const Dataset& data, const std::string& model = "geniepath-lazy", int64_t epochs = 40) {
  RunDescription run;
  run.model.model = model;
  run.model.hidden = 12;
  run.model.depth = 2;
  run.train.epochs = epochs;
  run.train.learning_rate = 0.02;
  run.task = data.task;
  run.features = data.features.num_features();
  run.classes = data.num_classes;
  return run;
}

TrainResult train_in(const RunFolder& folder, const Dataset& data, const RunDescription& run, TrainHooks hooks = {}) {
  folder.create(run, {}, false);
  return train(data, run, folder, hooks);
}

TEST(Train, LearnsWhatANeighbourShowsAndAnMlpCannot) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data(6, 150);
  const auto score = [&](const std::string& model) {
    return train_in(RunFolder(scratch / model), data, description_of(data, model, 120)).test.accuracy;
  };
  EXPECT_GT(score("geniepath"), 0.95);
  EXPECT_GT(score("geniepath-lazy"), 0.95);
  EXPECT_LT(score("mlp"), 0.6);
}

TEST(Train, InMemoryGivesTheModelThatARunKeeps) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  RunDescription run = description_of(data, "geniepath-lazy", 30);
  const RunFolder folder(scratch / "run");
  const TrainResult kept = train_in(folder, data, run);
  std::vector<int64_t> epochs;
  TrainHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& record) { epochs.push_back(record.epoch); };
  const Trained trained = train(data, run, hooks);
  EXPECT_EQ(epochs.size(), 30u);
  EXPECT_EQ(trained.result.best_epoch, kept.best_epoch);
  EXPECT_EQ(trained.result.test.accuracy, kept.test.accuracy);
  EXPECT_TRUE(predict(*trained.model, data).equal(predict(*load_model(folder), data)));
  hooks.should_stop = [&] { return epochs.size() >= 35; };
  const Trained stopped = train(data, run, hooks);
  EXPECT_TRUE(stopped.result.interrupted);
  EXPECT_EQ(stopped.result.epochs, 5);
}

TEST(Train, EveryModelLearnsWhatIsTwoHopsAwayAndAnMlpCannot) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::chain_data();
  for (const std::string& model : model_names()) {
    const double score = train_in(RunFolder(scratch / model), data, description_of(data, model, 150)).test.accuracy;
    if (model == "mlp") {
      EXPECT_LT(score, 0.6);
    } else {
      EXPECT_GT(score, 0.9) << model;
    }
  }
}

TEST(Train, TheSameSeedGivesTheSameBits) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  RunDescription run = description_of(data);
  run.model.dropout = 0.2;
  run.train.batch_graphs = 2;
  run.train.consistency = 1;
  train_in(RunFolder(scratch / "a"), data, run);
  train_in(RunFolder(scratch / "b"), data, run);
  EXPECT_EQ(read_text(scratch / "a/last.safetensors"), read_text(scratch / "b/last.safetensors"));
  run.train.seed = 2;
  train_in(RunFolder(scratch / "c"), data, run);
  EXPECT_NE(read_text(scratch / "a/last.safetensors"), read_text(scratch / "c/last.safetensors"));
}

TEST(Train, ConsistencyMakesPredictionsDependLessOnDropout) {
  Dataset data = testing::ring_data();
  data.train.resize(data.train.size() / 4);
  RunDescription run = description_of(data, "geniepath", 60);
  run.model.dropout = 0.4;
  const auto difference = [&](double consistency) {
    run.train.consistency = consistency;
    const Trained trained = train(data, run);
    const ModelInput input = training::whole_batch(data, data.train).input;
    const auto scores = [&](uint64_t key) { return trained.model->forward(input, Pass(key)); };
    return (at::softmax(scores(1), 1) - at::softmax(scores(2), 1)).square().mean().item<double>();
  };
  const double without = difference(0), with = difference(2);
  EXPECT_LT(with, 0.8 * without);
}

// Weights, state and recorded losses of a short run with this many threads, in a new thread, because cached products of
// a thread were created for its number of threads at the time.
std::string trained_by(int threads, const std::filesystem::path& folder, const Dataset& data,
                       const RunDescription& run) {
  return std::async(std::launch::async, [&] {
           at::set_num_threads(threads);
           std::string record;
           train_in(RunFolder(folder), data, run, {[&](const EpochRecord& epoch) {
                                                     nlohmann::ordered_json line = to_json(epoch);
                                                     line.erase("seconds");
                                                     record += line.dump() + "\n";
                                                   },
                                                   {}});
           return record + read_text(folder / "last.safetensors");
         }).get();
}

TEST(Train, TheBitsDoNotDependOnTheNumberOfThreads) {
  if (!kernels::cpu::has_matmul<float>()) GTEST_SKIP() << "built without oneDNN: products are LibTorch's";
  testing::ScratchFolder scratch;
  const int before = at::get_num_threads();
  const Dataset sparse = make_account_device({.nodes = 4001}), dense = testing::ring_data(6, 601);
  for (const std::string& model : model_names()) {
    for (const Precision precision : {Precision::kF32, Precision::kBf16}) {
      const Dataset& data = precision == Precision::kF32 ? sparse : dense;
      RunDescription run = description_of(data, model, 2);
      run.model.hidden = 16;
      run.model.bias = true;
      run.model.dropout = 0.2;
      run.model.precision = precision;
      if (precision == Precision::kBf16)
        run.model.residual = Residual::kInput, run.model.depth_function = DepthKind::kGru;
      run.train.clip = 1e-3;  // every step is clipped
      const auto by = [&](int threads) {
        return trained_by(threads, scratch / (model + to_string(precision) + std::to_string(threads)), data, run);
      };
      const std::string alone = by(1);
      for (const int threads : {2, 3})
        EXPECT_TRUE(by(threads) == alone) << model << ", " << to_string(precision) << ", " << threads;
    }
  }
  at::set_num_threads(before);
}

class Resumed : public ::testing::TestWithParam<BatchKind> {};
INSTANTIATE_TEST_SUITE_P(Batches, Resumed,
                         ::testing::Values(BatchKind::kWhole, BatchKind::kNeighbours, BatchKind::kComponents));

TEST_P(Resumed, RunEndsInTheSameBits) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  RunDescription run = description_of(data);
  run.model.dropout = 0.2;
  run.train.batch = GetParam();
  run.train.batch_graphs = GetParam() == BatchKind::kWhole ? 3 : 0;
  run.train.batch_size = 30, run.train.node_budget = 80;
  run.train.schedule = Schedule::kCosine;
  run.train.clip = 0.5;
  run.train.average = 0.9;
  const TrainResult whole = train_in(RunFolder(scratch / "whole"), data, run);
  for (const int64_t stop_at : {0, 13}) {
    SCOPED_TRACE(stop_at);
    const auto folder = scratch / ("cut" + std::to_string(stop_at));
    int64_t epochs = 0;
    const TrainResult stopped = train_in(RunFolder(folder), data, run, {[&](const EpochRecord& e) { epochs = e.epoch; },
                                                                        [&] { return epochs == stop_at; }});
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_EQ(stopped.epochs, stop_at);
    const TrainResult resumed = train(data, run, RunFolder(folder), {}, true);
    EXPECT_EQ(resumed.epochs, whole.epochs);
    EXPECT_EQ(to_json(resumed.test), to_json(whole.test));
    EXPECT_EQ(read_text(folder / "last.safetensors"), read_text(scratch / "whole/last.safetensors"));
    EXPECT_EQ(read_text(folder / "best.safetensors"), read_text(scratch / "whole/best.safetensors"));
    const std::string lines = read_text(folder / "metrics.jsonl");
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 40);
  }
}

TEST(Train, MiniBatchesGiveTheSameBitsForAnyNumberOfThreads) {
  if (!kernels::cpu::has_matmul<float>()) GTEST_SKIP() << "built without oneDNN: products are LibTorch's";
  testing::ScratchFolder scratch;
  const int before = at::get_num_threads();
  const Dataset data = make_account_device({.nodes = 4001});
  for (const BatchKind kind : {BatchKind::kNeighbours, BatchKind::kLabor, BatchKind::kComponents}) {
    RunDescription run = description_of(data, "geniepath-lazy", 2);
    run.train.batch = kind;
    run.train.batch_size = 300, run.train.node_budget = 1000;
    const auto by = [&](int threads) {
      return trained_by(threads, scratch / (to_string(kind) + std::to_string(threads)), data, run);
    };
    EXPECT_TRUE(by(1) == by(3)) << to_string(kind);
  }
  at::set_num_threads(before);
}

TEST(Train, OutOfMemorySaysWhatWasAskedForAndKeepsTheCheckpoint) {
  use_large_pages();  // counts the bytes of tensors
  testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = testing::ring_data(6, 400, false);
  RunDescription run = description_of(data, "geniepath", 2);
  run.model.hidden = 32;
  const TrainResult before = train_in(folder, data, run);
  run.train.epochs = 4;
  for (const char* part : {"out of memory", " beside the ", "at epoch 3", "the best checkpoint, of epoch"}) {
    limit_tensor_bytes(live_tensor_bytes() + (2 << 20));
    EXPECT_ERROR(train(data, run, folder, {}, true), part);
    limit_tensor_bytes(std::numeric_limits<int64_t>::max());
  }
  EXPECT_EQ(folder.epochs_done(), 2);
  EXPECT_EQ(evaluate(*load_model(folder), data, data.test).accuracy, before.test.accuracy);
  EXPECT_EQ(train(data, run, folder, {}, true).epochs, 4);
}

TEST(Train, TheLoadedModelScoresAsTheTrainedOne) {
  testing::ScratchFolder scratch;
  for (const bool inductive : {true, false}) {
    const Dataset data = testing::ring_data(6, 40, inductive);
    const RunFolder folder(scratch / (inductive ? "in" : "trans"));
    const TrainResult result = train_in(folder, data, description_of(data));
    const auto model = load_model(folder);
    EXPECT_EQ(to_json(evaluate(*model, data, data.test)), to_json(result.test));
    EXPECT_EQ(predict(*model, data).sizes(), (std::vector<int64_t>{240, 3}));
  }
}

TEST(Train, KeepsTheBestValidationEpochAndStopsEarly) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  RunDescription run = description_of(data, "geniepath", 500);
  run.train.patience = 15;
  double best = -1;
  int64_t best_epoch = 0;
  const TrainResult result = train_in(RunFolder(scratch / "a"), data, run,
                                      {[&](const EpochRecord& e) {
                                         EXPECT_EQ(e.best, e.valid.accuracy > best);
                                         if (e.valid.accuracy > best) best = e.valid.accuracy, best_epoch = e.epoch;
                                       },
                                       {}});
  EXPECT_EQ(result.best_epoch, best_epoch);
  EXPECT_EQ(result.epochs, best_epoch + 15);
  EXPECT_DOUBLE_EQ(result.valid.accuracy, best);
}

TEST(Train, StopsOnALossThatIsNotANumberAndKeepsTheBest) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data(6, 40, false);
  const RunDescription run = description_of(data);
  const RunFolder folder(scratch / "a");
  folder.create(run, {}, false);
  Dataset poisoned = data;
  poisoned.features = Features(data.features.dense().clone());
  const TrainHooks hooks{[&](const EpochRecord& e) {
                           const at::Tensor x = poisoned.features.dense();
                           if (e.epoch == 5) std::fill_n(x.data_ptr<float>(), x.numel(), NAN);
                         },
                         {}};
  EXPECT_ERROR(train(poisoned, run, folder, hooks), "not a number at epoch 6; the best checkpoint, of epoch");
  EXPECT_TRUE(std::filesystem::exists(scratch / "a/best.safetensors"));
  EXPECT_NO_THROW(load_model(folder));
}

TEST(Train, MultiLabelAndBinaryTasksRun) {
  testing::ScratchFolder scratch;
  Dataset data = testing::ring_data();
  data.task = Task::kMultiLabel;
  data.metric = "micro_f1";
  data.labels = at::one_hot(data.labels, 3).to(at::kFloat);
  RunDescription run = description_of(data, "geniepath", 120);
  EXPECT_GT(train_in(RunFolder(scratch / "labels"), data, run).test.micro_f1, 0.9);
  Dataset binary = testing::ring_data();
  binary.task = Task::kBinary;
  binary.metric = "f1";
  binary.labels = (binary.labels == 1).to(at::kLong);
  binary.num_classes = 2;
  run = description_of(binary, "geniepath", 200);
  EXPECT_GT(train_in(RunFolder(scratch / "binary"), binary, run).test.f1, 0.75);
}

Dataset ring_labels() {
  Dataset data = testing::ring_data();
  data.task = Task::kMultiLabel;
  data.metric = "macro_f1";
  data.labels = at::one_hot(data.labels, 3).to(at::kFloat);
  return data;
}

TEST(Train, MultiLabelTasksAreScoredByEveryProtocol) {
  testing::ScratchFolder scratch;
  const Dataset data = ring_labels();
  RunDescription run = description_of(data, "geniepath", 12);
  for (const Protocol protocol : {Protocol::kHalf, Protocol::kTuned, Protocol::kLabelCount}) {
    run.train.threshold = protocol;
    const char* threshold = to_string(protocol);
    const TrainResult result = train_in(RunFolder(scratch / threshold), data, run);
    ASSERT_EQ(result.protocols.size(), 3u);
    int named_so = 0;
    for (const SplitScores& scores : result.protocols) {
      if (scores.protocol != protocol) continue;
      ++named_so;
      EXPECT_EQ(to_json(scores.test), to_json(result.test)) << threshold;
      EXPECT_EQ(to_json(scores.valid), to_json(result.valid)) << threshold;
    }
    EXPECT_EQ(named_so, 1) << threshold;
    EXPECT_GE(result.protocols[1].valid.macro_f1, result.protocols[0].valid.macro_f1);
  }
  run.train.threshold = Protocol::kAuto;
  EXPECT_EQ(chosen_protocol(run.train, data), Protocol::kHalf);
  Dataset blogs = data;
  blogs.name = "blogcatalog-1";
  EXPECT_EQ(chosen_protocol(run.train, blogs), Protocol::kTuned);
  run.train.threshold = Protocol::kLabelCount;
  EXPECT_ERROR(chosen_protocol(run.train, testing::ring_data()),
               "label-count is for multi-label tasks, but rings is multi-class");
}

// The threshold is chosen on validation nodes: flipping the test nodes' labels changes only the test scores.
TEST(Train, TheTunedThresholdDoesNotSeeTheTestNodes) {
  testing::ScratchFolder scratch;
  const Dataset data = ring_labels();
  const RunFolder folder(scratch / "a");
  train_in(folder, data, description_of(data, "geniepath", 12));
  const auto model = load_model(folder);
  Dataset other = data;
  other.labels = data.labels.clone();
  for (const NodeId node : data.test) other.labels[node] = 1 - data.labels[node];
  const SplitScores before = evaluate(*model, data, Protocol::kTuned, "macro_f1");
  const SplitScores after = evaluate(*model, other, Protocol::kTuned, "macro_f1");
  EXPECT_EQ(before.threshold, after.threshold);
  EXPECT_NE(before.test.macro_f1, after.test.macro_f1);
}

TEST(Train, SparseFeaturesAreNeverMadeDense) {
  testing::ScratchFolder scratch;
  use_large_pages();  // counts the bytes of tensors
  const Dataset data = make_account_device({.nodes = 5000});
  RunDescription run = description_of(data, "geniepath", 2);
  run.model.hidden = 2;
  reset_peak_tensor_bytes();
  train_in(RunFolder(scratch / "a"), data, run);
  EXPECT_GT(peak_tensor_bytes(), 0) << "they are counted";
  EXPECT_LT(peak_tensor_bytes(), 5000 * data.features.num_features() * 4);
}

TEST(Train, RefusesWhatDoesNotFit) {
  testing::ScratchFolder scratch;
  const Dataset data = testing::ring_data();
  RunDescription run = description_of(data);
  const RunFolder folder(scratch / "a");
  train_in(folder, data, run);
  EXPECT_ERROR(folder.create(run, {}, false), "already holds a run");
  EXPECT_NO_THROW(folder.create(run, {}, true));
  run.features = 9;
  EXPECT_ERROR(train(data, run, folder, {}), "4 features, but the model takes 9");
  run = description_of(data);
  run.classes = 2;
  EXPECT_ERROR(train(data, run, folder, {}), "3 classes, but the model has 2");
  run = description_of(data);
  run.class_names = {"a", "b", "c"};
  Dataset renamed = data;
  renamed.class_names = {"b", "a", "c"};
  EXPECT_ERROR(train(renamed, run, folder, {}), "class 0 is 'b', but 'a' in the run");
  run.task = Task::kBinary;
  EXPECT_ERROR(train(data, run, folder, {}), "a multi-class task, but the model was made for binary");
  Dataset unlabelled = data;
  unlabelled.train.clear();
  EXPECT_ERROR(train(unlabelled, description_of(data), folder, {}), "no labelled training node");
  EXPECT_ERROR(RunFolder(scratch / "none").description(), "no run here");
}

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override { train_in(folder_, data_, description_of(data_, "geniepath", 3)); }
  testing::ScratchFolder scratch_;
  const Dataset data_ = testing::ring_data();
  const RunFolder folder_{scratch_ / "a"};
};

TEST_F(Checkpoint, CutShortIsRefused) {
  const std::string whole = read_text(scratch_ / "a/best.safetensors");
  for (const size_t length : {size_t{0}, size_t{5}, size_t{100}, whole.size() / 2, whole.size() - 1}) {
    scratch_.write("a/best.safetensors", whole.substr(0, length));
    EXPECT_ERROR(load_model(folder_), "best.safetensors");
  }
}

TEST_F(Checkpoint, OfAnotherModelIsRefused) {
  RunDescription run = folder_.description();
  const auto rewrite = [&](const RunDescription& other) {
    scratch_.write("a/model.json", to_json(other).dump());
  };
  run.model.hidden = 13;
  rewrite(run);
  EXPECT_ERROR(load_model(folder_), "has shape [12, 3], but the model's is [13, 3]");
  run = description_of(data_, "geniepath-lazy");
  rewrite(run);
  EXPECT_ERROR(load_model(folder_), "best.safetensors: ");
}

TEST_F(Checkpoint, DescriptionOfANewerVersionOrAlteredIsRefused) {
  auto json = to_json(folder_.description());
  json["version"] = 99;
  scratch_.write("a/model.json", json.dump());
  EXPECT_ERROR(folder_.description(), "version 99 of the format, but this program reads up to 3");
  for (const auto& version :
       {nlohmann::ordered_json(5.5e43), nlohmann::ordered_json(1.5), nlohmann::ordered_json(UINT64_MAX)}) {
    json["version"] = version;
    scratch_.write("a/model.json", json.dump());
    EXPECT_ERROR(folder_.description(), "version: expected a whole number, found " + version.dump());
  }
  json["version"] = 1;
  json["model"]["hiden"] = 5;
  scratch_.write("a/model.json", json.dump());
  EXPECT_ERROR(folder_.description(), "model: unknown key 'hiden'");
  scratch_.write("a/model.json", "{\"format\": ");
  EXPECT_ERROR(folder_.description(), "not JSON");
  scratch_.write("a/model.json", "{}");
  EXPECT_ERROR(folder_.description(), "not a description of a run");
}

// A run of before the fitted start goes on as it began.
TEST_F(Checkpoint, DescriptionOfVersion1TrainsAsVersion1Did) {
  auto json = to_json(folder_.description());
  json["version"] = 1;
  json["model"].erase("init"), json["train"].erase("warmup"), json["train"].erase("weight-decay");
  scratch_.write("a/model.json", json.dump());
  const RunDescription old = folder_.description();
  EXPECT_EQ(old.model.init, Init::kXavier);
  EXPECT_EQ(old.train.warmup, 0);
  EXPECT_EQ(old.train.weight_decay, 0);
  json["version"] = 2;
  scratch_.write("a/model.json", json.dump());
  EXPECT_EQ(folder_.description().model.init, Init::kSignal);
}

TEST(Batch, OfPartsHasTheRightRowsAndLabels) {
  const Dataset data = testing::ring_data(4, 10);
  const training::Batch batch = training::parts_batch(data, {1, 0}, {0, 12, 25});
  EXPECT_EQ(batch.input.graph.num_nodes(), 20);
  EXPECT_EQ(batch.input.graph.num_edges(), 40);  // a ring and its self-loops
  EXPECT_TRUE(batch.nodes.equal(at::tensor({2, 10}, at::kLong)));
  EXPECT_EQ(batch.labels[0].item<int64_t>(), data.labels[12].item<int64_t>());
  EXPECT_TRUE(batch.input.dense[2].equal(data.features.dense()[12]));
  EXPECT_EQ(training::parts_with(data, {39, 0, 5}), (std::vector<int64_t>{0, 3}));
}

}  // namespace
}  // namespace geniepath
