#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "data/account_device/account_device.h"
#include "expect_error.h"
#include "geniepath/train.h"
#include "training/batch_loader.h"
#include "training/batch_source.h"
#include "training/small_data.h"
#include "training/stepper.h"

namespace geniepath::training {
namespace {

bool has_metis() {
  try {
    TrainConfig config;
    config.batch = BatchKind::kClusters;
    config.node_budget = 100;
    make_batch_source(testing::ring_data(), config);
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("libmetis-dev"), std::string::npos) << error.what();
    return false;
  }
}

TrainConfig config_of(BatchKind kind) {
  TrainConfig config;
  config.batch = kind;
  config.batch_size = 100;
  config.fan_out = "3,all";
  config.node_budget = 400;
  return config;
}

class MiniBatches : public ::testing::TestWithParam<BatchKind> {
 protected:
  void SetUp() override {
    if (GetParam() == BatchKind::kClusters && !has_metis()) GTEST_SKIP() << "built without METIS";
  }
  const Dataset data_ = make_account_device({.nodes = 3000});
};

// Features and labels are the nodes' numbers here.
TEST_P(MiniBatches, HaveEveryTrainingNodeOnceAnEpoch) {
  Dataset data = data_;
  const NodeId nodes = data.graph.num_nodes();
  data.features = at::arange(nodes, at::kFloat).unsqueeze(1);
  data.labels = at::arange(nodes, at::kLong);
  const auto source = make_batch_source(data, config_of(GetParam()));
  std::set<int64_t> seen;
  int64_t count = 0;
  ASSERT_GT(source->steps_per_epoch(), 1);
  for (int64_t step = 0; step < source->steps_per_epoch(); ++step) {
    const Batch batch = source->make(2, step);
    const at::Tensor ids = batch.rows(batch.input.dense).squeeze(1).to(at::kLong);
    EXPECT_TRUE(ids.equal(batch.labels));
    for (int64_t n = 0; n < ids.numel(); ++n) seen.insert(ids[n].item<int64_t>()), ++count;
  }
  EXPECT_EQ(count, std::ssize(data.train));
  EXPECT_EQ(std::vector<NodeId>(seen.begin(), seen.end()), data.train);
}

TEST_P(MiniBatches, AreAFunctionOfSeedEpochAndStep) {
  const auto one = make_batch_source(data_, config_of(GetParam())),
             other = make_batch_source(data_, config_of(GetParam()));
  one->make(5, 0);
  const Batch a = one->make(2, 1), b = other->make(2, 1), c = other->make(3, 1);
  EXPECT_TRUE(a.input.sparse.value.equal(b.input.sparse.value));
  EXPECT_TRUE(a.input.graph.in_neighbour.equal(b.input.graph.in_neighbour));
  EXPECT_FALSE(a.input.sparse.value.numel() == c.input.sparse.value.numel() &&
               a.input.sparse.value.equal(c.input.sparse.value));
}

TEST_P(MiniBatches, AreLoadedAheadInOrder) {
  const auto source = make_batch_source(data_, config_of(GetParam())),
             expected = make_batch_source(data_, config_of(GetParam()));
  {
    BatchLoader loader(*source, 1);
    for (int64_t step = 0; step < expected->steps_per_epoch(); ++step) {
      EXPECT_TRUE(loader.next().input.sparse.value.equal(expected->make(1, step).input.sparse.value)) << step;
    }
  }
  BatchLoader stopped_early(*source, 2);
  EXPECT_GT(stopped_early.next().nodes.numel(), 0);
}

TEST_P(MiniBatches, Train) {
  Recipe recipe;
  recipe.model.model = "geniepath-lazy", recipe.model.hidden = 8, recipe.model.depth = 2;
  recipe.train = config_of(GetParam());
  recipe.train.epochs = 15;
  const Trained trained = train(data_, recipe);
  EXPECT_GT(trained.result.test.by_name("roc_auc"), 0.75);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MiniBatches,
                         ::testing::Values(BatchKind::kNeighbours, BatchKind::kLabor, BatchKind::kComponents,
                                           BatchKind::kClusters),
                         [](const auto& kind) { return std::string(to_string(kind.param)); });

// The scores of a node depend on its component alone.
TEST(ComponentBatches, AreExact) {
  const Dataset data = make_account_device({.nodes = 3000});
  Recipe recipe;
  recipe.model.hidden = 8;
  const auto model = make_model_on(at::kCPU, data, recipe, 1);
  const at::NoGradGuard no_grad;
  const auto source = make_batch_source(data, config_of(BatchKind::kComponents));
  Dataset numbered = data;
  numbered.labels = at::arange(data.graph.num_nodes(), at::kLong);
  const auto numbers = make_batch_source(numbered, config_of(BatchKind::kComponents));
  const at::Tensor all = model->forward(ModelInput(data.features, data.graph));
  for (int64_t step = 0; step < source->steps_per_epoch(); ++step) {
    const Batch batch = source->make(1, step);
    const at::Tensor expected = all.index_select(0, numbers->make(1, step).labels);
    EXPECT_TRUE(batch.rows(model->forward(batch.input)).allclose(expected, 1e-5, 1e-6)) << step;
  }
}

TEST(ComponentBatches, StayWithinTheBudget) {
  const Dataset data = make_account_device({.nodes = 3000});
  const std::vector<NodeId> component = data.graph.components();
  std::vector<int64_t> size(component.size());
  for (const NodeId c : component) ++size[static_cast<size_t>(c)];
  const int64_t largest = *std::max_element(size.begin(), size.end());
  const auto source = make_batch_source(data, config_of(BatchKind::kComponents));
  for (int64_t step = 0; step < source->steps_per_epoch(); ++step) {
    EXPECT_LE(source->make(1, step).input.graph.num_nodes(), std::max<int64_t>(400, largest));
  }
}

class FailingSource final : public BatchSource {
 public:
  int64_t steps_per_epoch() const override { return 3; }
  Batch make(int64_t, int64_t step) override {
    if (step == 1) fail("the second step");
    return {};
  }
};

TEST(BatchLoader, HandsOnWhatWentWrong) {
  FailingSource source;
  BatchLoader loader(source, 1);
  loader.next();
  EXPECT_ERROR(loader.next(), "the second step");
}

}  // namespace
}  // namespace geniepath::training
