#include "data/formats/csr_arrays.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <map>

#include "expect_counts.h"
#include "expect_error.h"
#include "io/numpy_writer.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using Arrays = std::map<std::string, at::Tensor>;
using testing::npy_file;
using testing::vector;

// Four nodes: 0-1 both ways, 2 -> 1 one way, 3-3; features in columns 0 and 4.
Arrays csr_arrays() {
  return {{"adj_indptr", vector<int32_t>({0, 1, 2, 3, 4})}, {"adj_indices", vector<int32_t>({1, 0, 1, 3})},
          {"attr_indptr", vector<int32_t>({0, 1, 1, 3, 3})}, {"attr_indices", vector<int32_t>({0, 0, 4})},
          {"attr_data", vector<float>({1, 2, 3})},           {"label", vector<int32_t>({0, 1, -1, 2})}};
}

Arrays edge_index_arrays() {
  return {{"edge_index", vector<int64_t>({0, 1, 2, 1, 0, 2}).view({2, 3})},
          {"x", at::arange(6, at::kFloat).view({3, 2})},
          {"y", vector<int64_t>({0, 1, 0})}};
}

// The arrays with one replaced; an undefined one is left out.
template <class Load>
Dataset load(Load load_folder, Arrays arrays, const std::string& key = "", const at::Tensor& array = {}) {
  testing::ScratchFolder folder;
  if (!key.empty()) arrays[key] = array;
  for (const auto& [name, values] : arrays) {
    if (values.defined()) folder.write(name + ".npy", npy_file(values));
  }
  return load_folder(folder.path(), "small");
}
Dataset load_csr(const std::string& key = "", const at::Tensor& array = {}) {
  return load(load_csr_arrays, csr_arrays(), key, array);
}
Dataset load_edges(const std::string& key = "", const at::Tensor& array = {}) {
  return load(load_edge_index_arrays, edge_index_arrays(), key, array);
}

TEST(CsrArrays, AFolderBecomesASymmetricGraphWithSparseFeatures) {
  const Dataset data = load_csr();
  data.validate();
  EXPECT_EQ(data.graph.num_nodes(), 4);
  EXPECT_EQ(data.graph.num_edges(), 5);
  EXPECT_EQ(data.graph.num_self_loops(), 1);
  EXPECT_TRUE(data.graph.is_symmetric());
  ASSERT_TRUE(data.features.is_sparse());
  EXPECT_EQ(data.features.num_features(), 5);
  EXPECT_EQ(data.features.sparse().to_dense()[2][4].item<float>(), 3);
  EXPECT_TRUE(data.labels.equal(vector<int64_t>({0, 1, -1, 2})));
  EXPECT_EQ(data.num_classes, 3);
  EXPECT_EQ(data.task, Task::kMultiClass);
  EXPECT_TRUE(data.train.empty() && data.valid.empty() && data.test.empty());
}

TEST(CsrArrays, OptionalArraysAreHeeded) {
  EXPECT_EQ(load_csr("adj_data", vector<float>({1, 1, 0, 1})).graph.num_edges(), 3);
  EXPECT_EQ(load_csr("attr_shape", vector<int64_t>({4, 9})).features.num_features(), 9);
  const Dataset dense = load_csr("attr", at::ones({4, 2}, at::kDouble));
  EXPECT_FALSE(dense.features.is_sparse());
  EXPECT_EQ(dense.features.num_features(), 2);
  Arrays renamed = csr_arrays();
  renamed["labels"] = renamed["label"];
  EXPECT_EQ(load(load_csr_arrays, renamed, "label").num_classes, 3);
  EXPECT_EQ(load_csr("adj_indices", vector<int64_t>({1, 0, 1, 3})).graph.num_edges(), 5);
}

TEST(CsrArrays, SaysWhatIsWrong) {
  EXPECT_ERROR(load_csr("adj_indptr"), "adj_indptr.npy: cannot open");
  EXPECT_ERROR(load_csr("adj_indptr", vector<float>({0, 4})), "adj_indptr.npy: dtype Float, expected integers");
  EXPECT_ERROR(load_csr("adj_indptr", at::zeros({2, 2}, at::kInt)), "an array of 2 dimensions, expected 1");
  EXPECT_ERROR(load_csr("adj_indptr", at::zeros({0}, at::kInt)), "a matrix of -1 x -1");
  EXPECT_ERROR(load_csr("adj_indptr", vector<int32_t>({0, 1, 2, 3, 5})), "the rows end at entry 5, but there are 4");
  EXPECT_ERROR(load_csr("adj_indices", vector<int32_t>({1, 0, 4, 3})), "row 2 has an entry in column 4, but there are");
  EXPECT_ERROR(load_csr("adj_indices", vector<int64_t>({1, 0, int64_t{1} << 32, 3})), "entry 2 is 4294967296");
  EXPECT_ERROR(load_csr("adj_indices", vector<int32_t>({1, 0, -1, 3})), "adj_indices.npy: entry 2 is -1");
  EXPECT_ERROR(load_csr("adj_data", vector<float>({1, 1})), "2 weights for 4 entries");
  EXPECT_ERROR(load_csr("attr_data", vector<float>({1, 1})), "2 values for 3 entries");
  EXPECT_ERROR(load_csr("attr_indptr", vector<int32_t>({0, 1, 3})), "features of 2 nodes, but the graph has 4");
  EXPECT_ERROR(load_csr("attr_shape", vector<int64_t>({4, 4})), "row 2 has an entry in column 4, but there are 4");
  EXPECT_ERROR(load_csr("attr_shape", vector<int64_t>({4})), "1 sizes, expected 2");
  EXPECT_ERROR(load_csr("attr", at::ones({4})), "an array of 1 dimensions, expected 2");
  EXPECT_ERROR(load_csr("label", vector<int32_t>({0, 1})), "label.npy: 2 labels for 4 nodes");
  EXPECT_ERROR(load_csr("label", vector<int32_t>({0, 1, 4, 0})), "node 2 has label 4, expected -1 to 3");
  EXPECT_ERROR(load_csr("label", vector<int32_t>({0, -2, 1, 0})), "node 1 has label -2");
}

TEST(EdgeIndexArrays, KeepTheirDirections) {
  const Dataset data = load_edges();
  data.validate();
  EXPECT_EQ(data.graph.num_edges(), 3);
  EXPECT_EQ(data.graph.incoming().neighbours(1)[0], 0);
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(data.num_classes, 2);
  EXPECT_EQ(load_edges("y", vector<int64_t>({0, 1, 2})).task, Task::kMultiClass);
  EXPECT_EQ(load_edges("edge_index", at::zeros({2, 0}, at::kLong)).graph.num_edges(), 0);
}

TEST(EdgeIndexArrays, SaysWhatIsWrong) {
  EXPECT_ERROR(load_edges("edge_index", vector<int64_t>({0, 1, 2, 1, 3, 2}).view({2, 3})),
               "edge_index.npy: edge 1 names node 3, but there are 3");
  EXPECT_ERROR(load_edges("edge_index", at::zeros({3, 2}, at::kLong)), "3 rows, expected 2: sources, targets");
  EXPECT_ERROR(load_edges("edge_index", at::zeros({4}, at::kLong)), "an array of 1 dimensions, expected 2");
  EXPECT_ERROR(load_edges("y", vector<int64_t>({0, 1})), "y.npy: 2 labels for 3 nodes");
  EXPECT_ERROR(load_edges("x", at::zeros({int64_t{1} << 33, 0})), "3 labels for 8589934592 nodes");
}

TEST(CsrArrays, PublishedPhysicsHasTheCountsOfTheReadme) {
  REQUIRE_REAL_DATA(folder, "coauthor-physics");
  const Dataset data = load_csr_arrays(folder, "coauthor-physics");
  testing::expect_counts(data, {34493, 495924, 0, 1, 8415, {5750, 5045, 17426, 2753, 3519}});
  EXPECT_EQ(data.features.num_nonzeros(), 1137311);
}

TEST(EdgeIndexArrays, PublishedRedditHasTheCountsOfTheReadme) {
  REQUIRE_REAL_DATA(folder, "pygod-reddit");
  const Dataset data = load_edge_index_arrays(folder, "pygod-reddit");
  testing::expect_counts(data, {10984, 168016, 10984, 3, 64, {10618, 366}});
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(data.labels.slice(0, 10000).sum().item<int64_t>(), 0);
}

}  // namespace
}  // namespace geniepath
