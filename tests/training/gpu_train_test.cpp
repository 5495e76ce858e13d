// Whole trainings on the GPU against those on the CPU.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>

#include "expect_error.h"
#include "geniepath/device.h"
#include "geniepath/run.h"
#include "ops/device.h"
#include "require_gpu.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "small_data.h"
#include "training/stepper.h"

namespace geniepath::training {
namespace {

const at::Device kGpu(at::kCUDA, 0);

RunDescription run_of(const Dataset& data, const std::string& model) {
  RunDescription run;
  run.model.model = model;
  run.model.hidden = 16;
  run.model.depth = 2;
  run.task = data.task, run.features = data.features.num_features(), run.classes = data.num_classes;
  run.train.batch_graphs = data.inductive ? 2 : 0;
  return run;
}

double epoch_loss(Stepper& stepper, int64_t epoch) {
  stepper.queue_epoch(epoch, 0.01);
  return stepper.mean_loss();
}

TEST(GpuTrain, EveryModelsLossesAreTheCpus) {
  REQUIRE_GPU();
  for (const bool inductive : {false, true}) {
    const Dataset data = testing::ring_data(6, 40, inductive);
    const Share share(data);
    for (const std::string& model : model_names()) {
      SCOPED_TRACE(model + (inductive ? ", inductive" : ""));
      RunDescription run = run_of(data, model);
      run.model.dropout = 0.2;
      std::vector<double> on_cpu, on_gpu;
      {
        Stepper cpu = stepper_for(share, run, at::kCPU);
        for (int64_t epoch = 1; epoch <= 20; ++epoch) on_cpu.push_back(epoch_loss(cpu, epoch));
      }
      Stepper gpu = stepper_for(share, run, kGpu);
      for (int64_t epoch = 1; epoch <= 20; ++epoch) on_gpu.push_back(epoch_loss(gpu, epoch));
      for (size_t n = 0; n < on_cpu.size(); ++n) EXPECT_NEAR(on_gpu[n], on_cpu[n], 1e-4) << "epoch " << n + 1;
    }
  }
}

TEST(GpuTrain, MiniBatchesLossesAreTheCpus) {
  REQUIRE_GPU();
  const Dataset data = testing::ring_data(6, 40, false);
  const Share share(data);
  for (const BatchKind kind : {BatchKind::kNeighbours, BatchKind::kLabor, BatchKind::kComponents}) {
    SCOPED_TRACE(to_string(kind));
    RunDescription run = run_of(data, "geniepath-lazy");
    run.train.batch = kind;
    run.train.batch_size = 30, run.train.fan_out = "2,all", run.train.node_budget = 80;
    Stepper cpu = stepper_for(share, run, at::kCPU), gpu = stepper_for(share, run, kGpu);
    for (int64_t epoch = 1; epoch <= 10; ++epoch) {
      EXPECT_NEAR(epoch_loss(gpu, epoch), epoch_loss(cpu, epoch), 1e-4) << "epoch " << epoch;
    }
  }
}

TEST(GpuTrain, TheSameSeedGivesTheSameBits) {
  REQUIRE_GPU();
  const Dataset data = testing::ring_data();
  const Share share(data);
  const RunDescription run = run_of(data, "geniepath-lazy");
  const auto losses = [&] {
    Stepper stepper = stepper_for(share, run, kGpu);
    std::vector<double> values;
    for (int64_t epoch = 1; epoch <= 10; ++epoch) values.push_back(epoch_loss(stepper, epoch));
    return values;
  };
  EXPECT_EQ(losses(), losses());
}

TEST(GpuTrain, EveryPartOfAStepIsTheCpus) {
  REQUIRE_GPU();
  const Dataset data = testing::ring_data();
  const Share share(data);
  RunDescription run = run_of(data, "geniepath");
  run.train.clip = 0.05, run.train.l2 = 0.01, run.train.weight_decay = 3, run.train.average = 0.9;
  Stepper cpu = stepper_for(share, run, at::kCPU);
  for (int64_t epoch = 1; epoch <= 5; ++epoch) cpu.queue_epoch(epoch, 0.01);
  Stepper gpu = stepper_for(share, run, kGpu);
  for (int64_t epoch = 1; epoch <= 5; ++epoch) gpu.queue_epoch(epoch, 0.01);
  EXPECT_NEAR(gpu.adam().gradient_norm(), cpu.adam().gradient_norm(), 1e-4);
  for (const auto& [name, value] : cpu.adam().state()) {
    EXPECT_TRUE(at::allclose(gpu.adam().state().at(name), value, 1e-3, 1e-4)) << name;
  }
  const auto weights = gpu.model().named_parameters();
  for (const auto& item : cpu.model().named_parameters()) {
    EXPECT_TRUE(at::allclose(weights[item.key()].cpu(), item.value(), 1e-3, 1e-4)) << item.key();
  }
}

// Limits the GPU memory of tensors for its lifetime.
struct SmallGpu {
  explicit SmallGpu(int64_t bytes) { ops::limit_gpu_bytes(bytes); }
  ~SmallGpu() { ops::limit_gpu_bytes(std::numeric_limits<int64_t>::max()); }
};

TEST(GpuTrain, OutOfMemorySaysWhatWasAskedForAndKeepsTheCheckpoint) {
  REQUIRE_GPU();
  testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = testing::ring_data(6, 20000, false);
  RunDescription run = run_of(data, "geniepath");
  run.model.hidden = 1024;
  run.train.epochs = 2;
  folder.create(run, {}, false);
  const TrainResult before = train(data, run, folder, {}, false, kGpu);
  run.train.epochs = 4;
  for (const char* part : {"out of GPU memory", "Tried to allocate", "at epoch 3", "the best checkpoint, of epoch"}) {
    const SmallGpu small(int64_t{4} << 30);
    EXPECT_ERROR(train(data, run, folder, {}, true, kGpu), part);
  }
  EXPECT_EQ(folder.epochs_done(), 2);
  const std::shared_ptr<Model> kept = load_model(folder);
  kept->to(kGpu);
  EXPECT_NEAR(evaluate(*kept, data, data.test).accuracy, before.test.accuracy, 1e-3);
  EXPECT_EQ(train(data, run, folder, {}, true, kGpu).epochs, 4);
}

}  // namespace
}  // namespace geniepath::training
