#include "data/formats/heterophilous.h"

#include <gtest/gtest.h>

#include <map>

#include "expect_error.h"
#include "geniepath/data.h"
#include "io/zip_writer.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::vector;
using NamedArrays = std::map<std::string, at::Tensor>;

at::Tensor masks(const std::vector<uint8_t>& rows) {
  return vector<uint8_t>(rows).view({2, 3}).to(at::kBool);
}

// Three nodes, 0 - 1 - 2; two splits.
NamedArrays small_arrays() {
  return {{"node_features", at::arange(6, at::kFloat).view({3, 2})},
          {"node_labels", vector<int64_t>({0, 1, 0})},
          {"edges", vector<int64_t>({0, 1, 2, 1}).view({2, 2})},
          {"train_masks", masks({1, 0, 0, 0, 0, 1})},
          {"val_masks", masks({0, 1, 0, 0, 1, 0})},
          {"test_masks", masks({0, 0, 1, 1, 0, 0})}};
}

std::string npz(const NamedArrays& arrays) {
  std::vector<testing::ZipMember> members;
  for (const auto& [name, array] : arrays) {
    if (array.defined()) members.push_back(testing::deflated(name + ".npy", testing::npy_file(array)));
  }
  return testing::zip_file(members);
}

// The small arrays with one replaced; an undefined one is left out.
Dataset heterophilous_with(const std::string& key, const at::Tensor& array, int64_t split = 0) {
  testing::ScratchFolder folder;
  NamedArrays arrays = small_arrays();
  arrays[key] = array;
  return load_heterophilous(folder.write("small.npz", npz(arrays)), "small", split);
}

TEST(Heterophilous, ReadsTheSplitThatIsAskedFor) {
  testing::ScratchFolder folder;
  const auto path = folder.write("small.npz", npz(small_arrays()));
  EXPECT_TRUE(is_heterophilous(path));
  const Dataset first = load_heterophilous(path, "small", 0);
  first.validate();
  EXPECT_EQ(first.task, Task::kBinary);
  EXPECT_EQ(first.metric, "roc_auc");
  EXPECT_EQ(first.graph.num_edges(), 4);
  EXPECT_TRUE(first.graph.is_symmetric());
  EXPECT_EQ(first.train, std::vector<NodeId>{0});
  EXPECT_EQ(first.valid, std::vector<NodeId>{1});
  EXPECT_EQ(first.test, std::vector<NodeId>{2});
  const Dataset second = load_heterophilous(folder.path(), "small", 1);
  EXPECT_EQ(second.train, std::vector<NodeId>{2});
  EXPECT_EQ(second.test, std::vector<NodeId>{0});
}

TEST(Heterophilous, IsRecognisedByItsMembers) {
  testing::ScratchFolder folder;
  DataOptions options;
  options.data = folder.write("small.npz", npz(small_arrays())).string();
  options.published_split = 1;
  const Dataset data = load_dataset(options);
  EXPECT_EQ(data.name, "small");
  EXPECT_EQ(data.train, std::vector<NodeId>{2});
}

TEST(Heterophilous, SeveralClassesAreJudgedByAccuracy) {
  const Dataset data = heterophilous_with("node_labels", vector<int64_t>({0, 1, 2}));
  EXPECT_EQ(data.task, Task::kMultiClass);
  EXPECT_EQ(data.metric, "accuracy");
}

TEST(Heterophilous, SaysWhatIsWrong) {
  EXPECT_ERROR(heterophilous_with("edges", {}), "no member 'edges.npy'");
  EXPECT_ERROR(heterophilous_with("edges", vector<int64_t>({0, 1, 2, 3}).view({2, 2})),
               "small.npz: edges: edge 1 names node 3, but there are 3");
  EXPECT_ERROR(heterophilous_with("edges", vector<int64_t>({0, -1}).view({1, 2})), "edges: entry 1 is -1");
  EXPECT_ERROR(heterophilous_with("edges", at::zeros({2, 3}, at::kLong)), "edges: 3 columns, expected 2");
  EXPECT_ERROR(heterophilous_with("edges", at::zeros({4}, at::kLong)), "edges: an array of 1 dimensions, expected 2");
  EXPECT_ERROR(heterophilous_with("node_features", at::zeros({2, 2})), "node_labels: 3 labels for 2 nodes");
  EXPECT_ERROR(heterophilous_with("node_labels", vector<int64_t>({0, 1, 7})), "node 2 has label 7, expected -1 to 2");
  EXPECT_ERROR(heterophilous_with("train_masks", at::zeros({2, 3}, at::kLong)),
               "train_masks: dtype Long, expected bool");
  EXPECT_ERROR(heterophilous_with("val_masks", at::zeros({2, 4}, at::kBool)),
               "val_masks: masks of 4 nodes, expected 3");
  EXPECT_ERROR(heterophilous_with("val_masks", masks({1, 0, 0, 0, 1, 0})), "val_masks: node 0 is in val and in train");
  EXPECT_ERROR(heterophilous_with("test_masks", at::zeros({1, 3}, at::kBool), 1),
               "test_masks: no split 1: expected 0 to 0");
}

TEST(Heterophilous, PublishedTolokersHasTheCountsOfItsSplits) {
  REQUIRE_REAL_DATA(folder, "tolokers");
  for (int64_t split = 0; split < 10; ++split) {
    const Dataset data = load_heterophilous(folder, "tolokers", split);
    data.validate();
    EXPECT_EQ(data.graph.num_nodes(), 11758);
    EXPECT_EQ(data.graph.num_edges(), 2 * 519000);
    EXPECT_EQ(data.graph.num_self_loops(), 0);
    EXPECT_EQ(data.features.num_features(), 10);
    EXPECT_EQ(data.labels.sum().item<int64_t>(), 2566);
    EXPECT_EQ(data.train.size(), 5879u);
    EXPECT_EQ(data.valid.size(), 2939u);
    EXPECT_EQ(data.test.size(), 2940u);
  }
  EXPECT_NE(load_heterophilous(folder, "tolokers", 0).train, load_heterophilous(folder, "tolokers", 9).train);
  EXPECT_ERROR(load_heterophilous(folder, "tolokers", 10), "train_masks: no split 10: expected 0 to 9");
}

}  // namespace
}  // namespace geniepath
