// Several processes against one: the same losses and gradients.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <mutex>

#include "base/file_memory.h"
#include "data/account_device/account_device.h"
#include "distributed/as_processes.h"
#include "expect_error.h"
#include "partition/piece_file.h"
#include "partition/stream_owners.h"
#include "scratch_folder.h"
#include "small_data.h"
#include "training/loss.h"
#include "training/training.h"

namespace geniepath::training {
namespace {

using testing::as_processes;

// One component: three random neighbours per node, both ways.
Dataset tangled_data(NodeId nodes = 240) {
  Dataset data = testing::ring_data(1, nodes, false);
  std::vector<NodeId> source, target;
  Random random{5};
  for (NodeId i = 0; i < nodes; ++i) {
    for (int n = 0; n < 3; ++n)
      source.push_back(static_cast<NodeId>(random.below(static_cast<uint64_t>(nodes)))), target.push_back(i);
  }
  data.graph = Graph::from_edges(nodes, source, target, {.symmetrise = true});
  return data;
}

Recipe recipe_of(const std::string& model) {
  Recipe recipe;
  recipe.model.model = model;
  recipe.model.hidden = 8;
  recipe.model.depth = 2;
  recipe.train.learning_rate = 0.003;
  return recipe;
}

struct Course {
  std::vector<double> losses, scores;
  std::map<std::string, at::Tensor> first_step;  // Adam's first moments: a tenth of the gradient
};

Course course_of(const Share& share, const Recipe& recipe, int epochs = 20) {
  const auto training =
      make_training(share, recipe, num_outputs(share.data().task, share.data().num_classes), at::kCPU);
  Course course;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const EpochRecord record = *training->run_epoch({});
    course.losses.push_back(record.loss);
    course.scores.push_back(record.valid.by_name("accuracy"));
    if (epoch > 0) continue;
    for (const auto& [name, tensor] : training->state().tensors) {
      if (name.rfind("adam.m.", 0) == 0) course.first_step[name] = tensor.clone();
    }
  }
  return course;
}

Course course_together(const Dataset& data, const Recipe& recipe, int64_t processes, int epochs = 20) {
  std::mutex mutex;
  std::vector<Course> courses;
  as_processes(processes, [&](Group& group) {
    const Share share(data, group, 1);
    Course course = course_of(share, recipe, epochs);
    const std::lock_guard<std::mutex> lock(mutex);
    courses.push_back(std::move(course));
  });
  for (const Course& course : courses) {
    EXPECT_EQ(course.losses, courses[0].losses);
    EXPECT_EQ(course.scores, courses[0].scores);
  }
  return courses[0];
}

void expect_same(const Course& several, const Course& one) {
  ASSERT_EQ(several.losses.size(), one.losses.size());
  for (size_t n = 0; n < one.losses.size(); ++n) {
    EXPECT_NEAR(several.losses[n], one.losses[n], 1e-5 * one.losses[0]) << "epoch " << n + 1;
    EXPECT_NEAR(several.scores[n], one.scores[n], 0.02) << "epoch " << n + 1;
  }
  for (const auto& [name, m] : one.first_step) {
    const double scale = m.abs().max().item<double>();
    EXPECT_LE((several.first_step.at(name) - m).abs().max().item<double>(), 1e-4 * scale + 1e-9) << name;
  }
}

class Together : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { REQUIRE_GLOO(); }
};

TEST_P(Together, OneGraphIsTrainedAsByOneProcess) {
  const Dataset data = tangled_data();
  const bool of_the_paper = GetParam().rfind("geniepath", 0) == 0;
  const std::vector<Residual> residuals{Residual::kNone, Residual::kHop, Residual::kInput};
  for (const Residual residual : of_the_paper ? residuals : std::vector{Residual::kHop}) {
    Recipe recipe = recipe_of(GetParam());
    recipe.model.residual = residual;
    if (GetParam() == "gat") recipe.model.heads = "2";
    SCOPED_TRACE(to_string(residual));
    expect_same(course_together(data, recipe, 3), course_of(Share(data), recipe));
  }
}

// In a ring cut in three, nearly all rows read no rows of other processes.
TEST_P(Together, AnInteriorIsTrainedAsByOneProcess) {
  const Dataset data = testing::ring_data(1, 240, false);
  Recipe recipe = recipe_of(GetParam());
  if (GetParam() == "gat") recipe.model.heads = "2";
  expect_same(course_together(data, recipe, 3), course_of(Share(data), recipe));
}

TEST_P(Together, WholeGraphsAreTrainedAsByOneProcess) {
  const Dataset data = testing::ring_data();
  const Recipe recipe = recipe_of(GetParam());
  expect_same(course_together(data, recipe, 2), course_of(Share(data), recipe));
}

INSTANTIATE_TEST_SUITE_P(Models, Together,
                         ::testing::Values("geniepath", "geniepath-lazy", "gcn", "gcn-mean", "gat", "graphsage-mean",
                                           "graphsage-max", "chebyshev", "mlp"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(TogetherInSteps, DivideWholeGraphsAndComponents) {
  REQUIRE_GLOO();
  Recipe graphs = recipe_of("geniepath");
  graphs.train.batch_graphs = 3;
  graphs.model.dropout = 0.2;  // masks are those of the graphs
  graphs.model.init = Init::kXavier;
  const Dataset rings = testing::ring_data();
  expect_same(course_together(rings, graphs, 2), course_of(Share(rings), graphs));
  Recipe components = recipe_of("geniepath-lazy");
  components.train.batch = BatchKind::kComponents;
  components.train.node_budget = 300;
  const Dataset accounts = make_account_device({.nodes = 1000});
  expect_same(course_together(accounts, components, 3, 5), course_of(Share(accounts), components, 5));
}

TEST(TogetherInSteps, SampleNeighbourhoodsOfTheSameNodes) {
  REQUIRE_GLOO();
  Recipe recipe = recipe_of("geniepath");
  recipe.train.batch = BatchKind::kNeighbours;
  recipe.train.batch_size = 50;
  recipe.train.fan_out = "all,all";
  recipe.model.init = Init::kXavier;
  const Dataset data = testing::ring_data(1, 240, false);  // paths of two hops do not meet
  expect_same(course_together(data, recipe, 2), course_of(Share(data), recipe));
}

TEST(TogetherWith, WeightedClassesHaveTheMeanOfAll) {
  REQUIRE_GLOO();
  Recipe recipe = recipe_of("gcn");
  recipe.train.class_weights = ClassWeights::kBalanced;
  const Dataset data = tangled_data();
  expect_same(course_together(data, recipe, 2), course_of(Share(data), recipe));
}

TEST(TogetherWith, AProcessWithoutTrainingNodesTakesPart) {
  REQUIRE_GLOO();
  Dataset data = tangled_data(60);
  data.train = {3};
  const Recipe recipe = recipe_of("geniepath");
  expect_same(course_together(data, recipe, 3, 5), course_of(Share(data), recipe, 5));
}

// Layers of more than 32 units keep their exponentials; bf16 rounds what is gathered.
TEST(TogetherWith, WideLayersAndBf16) {
  REQUIRE_GLOO();
  const Dataset data = tangled_data();
  Recipe recipe = recipe_of("geniepath");
  recipe.model.hidden = 40;
  expect_same(course_together(data, recipe, 2, 10), course_of(Share(data), recipe, 10));
  recipe.model.precision = Precision::kBf16;
  const Course one = course_of(Share(data), recipe, 3), two = course_together(data, recipe, 2, 3);
  for (size_t n = 0; n < one.losses.size(); ++n) EXPECT_NEAR(two.losses[n], one.losses[n], 2e-3 * one.losses[0]);
}

TEST(TogetherWith, PiecesOfAStreamAreTrainedAsByOneProcess) {
  REQUIRE_GLOO();
  const Dataset data = tangled_data();
  const Recipe recipe = recipe_of("geniepath-lazy");
  const testing::ScratchFolder scratch;
  const std::vector<int32_t> owner = partition::streamed_owners(data, 3);
  const auto folder_memory = [&](size_t bytes) { return file_memory(scratch.path(), bytes); };
  std::vector<Course> courses(3);
  as_processes(3, [&](Group& group) {
    const partition::PieceId id{"stream", group.rank(), 3};
    partition::write_piece(scratch.path(), id,
                           partition::cut_piece(data, owner, static_cast<int32_t>(id.rank),
                                                {.memory = folder_memory, .blank_halo = true}));
    courses[static_cast<size_t>(id.rank)] = course_of(Share(partition::read_piece(scratch.path(), id), group), recipe);
  });
  expect_same(courses[0], course_of(Share(data), recipe));
  EXPECT_EQ(courses[1].losses, courses[0].losses);
}

TEST(TogetherWith, TheSameNumberOfProcessesGivesTheSameBits) {
  REQUIRE_GLOO();
  Recipe recipe = recipe_of("geniepath");
  recipe.model.dropout = 0.3;
  const Dataset data = tangled_data();
  EXPECT_EQ(course_together(data, recipe, 3).losses, course_together(data, recipe, 3).losses);
}

TEST(TogetherWith, WhatTakesOneProcessIsRefused) {
  REQUIRE_GLOO();
  const Dataset data = testing::ring_data();
  const auto train = [&](const Recipe& recipe) { course_together(data, recipe, 2, 1); };
  EXPECT_ERROR(train(recipe_of("node2vec")), "takes a single process");
  EXPECT_ERROR(train(recipe_of("graphsage-lstm")), "takes a single process");
  Recipe consistent = recipe_of("geniepath");
  consistent.train.consistency = 1;
  EXPECT_ERROR(train(consistent), "takes a single process");
}

}  // namespace
}  // namespace geniepath::training
