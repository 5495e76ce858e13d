#include "data/formats/planetoid.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "expect_counts.h"
#include "expect_error.h"
#include "io/pickle_writer.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::pickled;
using testing::pickled_array;
using testing::pickled_csr_file;
using testing::pickled_dtype;
using testing::pickled_graph_file;
using testing::pickled_tuple;
using testing::raw;
using testing::small_planetoid;

// The small graph, with one of its files replaced.
Dataset load_with(const std::string& file = "", const std::string& bytes = "") {
  testing::ScratchFolder folder;
  auto files = small_planetoid();
  if (!file.empty()) files[file] = bytes;
  for (const auto& [suffix, content] : files) folder.write("ind.small." + suffix, content);
  return load_planetoid(folder.path(), "small");
}

std::vector<int64_t> listed(const at::Tensor& values) {
  return {values.data_ptr<int64_t>(), values.data_ptr<int64_t>() + values.numel()};
}

TEST(Planetoid, ASmallGraphIsPutTogetherAsTkipfDoes) {
  const Dataset data = load_with();
  data.validate();
  EXPECT_EQ(data.name, "small");
  EXPECT_EQ(data.task, Task::kMultiClass);
  EXPECT_EQ(data.metric, "accuracy");
  EXPECT_EQ(data.num_classes, 2);
  EXPECT_EQ(data.graph.num_nodes(), 10);
  EXPECT_EQ(data.graph.num_edges(), 2 * 6 + 1);  // 0-1, 0-2, 2-3, 4-5, 6-7, 0-9 both ways, and 6-6
  EXPECT_EQ(data.graph.num_self_loops(), 1);
  EXPECT_TRUE(data.graph.is_symmetric());
  ASSERT_TRUE(data.features.is_sparse());
  const at::Tensor x = data.features.sparse().to_dense();
  EXPECT_TRUE(x.select(1, 0).equal(at::tensor({1, 2, 3, 4, 5, 6, 7, 8, 0, 10}, at::kFloat)));
  EXPECT_EQ(x[4][2].item<float>(), 0.5f);
  EXPECT_EQ(x[9][1].item<float>(), 0.25f);
  EXPECT_EQ(listed(data.labels), (std::vector<int64_t>{0, 1, 0, 1, 0, 1, 0, 0, -1, 1}));
  EXPECT_EQ(data.train, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(data.valid, (std::vector<NodeId>{2, 3, 4, 5}));
  EXPECT_EQ(data.test, (std::vector<NodeId>{6, 7, 9}));
}

TEST(Planetoid, LineEndsOfWindowsAreRead) { EXPECT_EQ(load_with("test.index", "9\r\n6\r\n7").test.size(), 3u); }

TEST(Planetoid, EveryFileIsNeeded) {
  for (const auto& [suffix, _] : small_planetoid()) {
    EXPECT_THROW(load_with(suffix, ""), Error) << suffix;
    testing::ScratchFolder folder;
    for (const auto& [other, content] : small_planetoid()) {
      if (other != suffix) folder.write("ind.small." + other, content);
    }
    EXPECT_ERROR(load_planetoid(folder.path(), "small"), "ind.small." + suffix + ": cannot open");
  }
}

TEST(Planetoid, SaysWhatIsWrongWithTheGraph) {
  EXPECT_ERROR(load_with("graph", pickled_graph_file({{0, {1}}, {1, {2}}})),
               "ind.small.graph: byte 59: neighbour 2 does not exist: there are 2 nodes");
  EXPECT_ERROR(load_with("graph", pickled_graph_file({{0, {1}}, {5, {0}}})), "node 5 does not exist");
  EXPECT_ERROR(load_with("graph", pickled_graph_file({{0, {-1}}})), "neighbour -1 does not exist");
  EXPECT_ERROR(load_with("graph", pickled_graph_file({{0, {1}}, {0, {1}}})), "node 0 appears twice");
  EXPECT_ERROR(load_with("graph", pickled_graph_file({{0, {}}})), "1 nodes, but allx has 6 rows");
  EXPECT_ERROR(load_with("graph", pickled("N")), "the graph is None, expected a dict");
  EXPECT_ERROR(load_with("graph", pickled("}(K\1NK" + raw(uint8_t{0}) + "]u")), "a neighbour list is None, expected");
}

TEST(Planetoid, SaysWhatIsWrongWithTheTestIndex) {
  EXPECT_ERROR(load_with("test.index", "9\n6\n"), "ind.small.test.index: 2 lines, but tx has 3 rows");
  EXPECT_ERROR(load_with("test.index", "9\nsix\n7\n"), "line 2: expected a node, found 'six'");
  EXPECT_ERROR(load_with("test.index", "9\n\n7\n"), "line 2: expected a node, found ''");
  EXPECT_ERROR(load_with("test.index", "9\n6\n6\n"), "line 3: node 6 appears twice");
  EXPECT_ERROR(load_with("test.index", "9\n6\n5\n"), "line 3: node 5, expected 6 to 9");
  EXPECT_ERROR(load_with("test.index", "9\n6\n2000000000\n"), "line 3: node 2000000000, expected 6 to 9");
}

TEST(Planetoid, SaysWhatIsWrongWithTheLabels) {
  const auto labels = [](std::vector<int64_t> shape, std::vector<int32_t> values) {
    return pickled(pickled_array(shape, values));
  };
  EXPECT_ERROR(load_with("y", labels({2, 2}, {1, 0, 0, 2})), "ind.small.y: the label of row 1 is not a single 1");
  EXPECT_ERROR(load_with("y", labels({2, 2}, {1, 0, 1, 1})), "the label of row 1 is not a single 1");
  EXPECT_ERROR(load_with("y", labels({1, 2}, {1, 0})), "ind.small.y: 1 rows of labels, but 2 of features");
  EXPECT_ERROR(load_with("y", labels({2, 3}, {1, 0, 0, 1, 0, 0})), "3 classes, but allx has 3 and ally 2");
  EXPECT_ERROR(load_with("y", labels({2, 0}, {})), "2 rows of no classes");
  EXPECT_ERROR(load_with("y", labels({4}, {1, 0, 0, 1})), "an array of 1 dimensions, expected 2");
}

TEST(Planetoid, SaysWhatIsWrongWithAnArray) {
  const std::string i4 = pickled_dtype("i4"), shape = pickled_tuple({2, 2});
  const std::string ones = raw(std::vector<int32_t>{1, 0, 0, 1});
  const auto labels = [](const std::string& opcodes) { return load_with("y", pickled(opcodes)); };
  EXPECT_ERROR(labels(pickled_array(pickled_dtype("i8"), shape, ones)), "an array of dtype 'i8', expected 'i4'");
  EXPECT_ERROR(labels(pickled_array(pickled_dtype("i4", ">"), shape, ones)), "an array of byte order '>'");
  EXPECT_ERROR(labels(pickled_array(i4, shape, ones, "\x88")), "an array in column order");
  EXPECT_ERROR(labels(pickled_array(i4, shape, "1234")), "an array of 4 bytes, but its shape takes 16");
  EXPECT_ERROR(labels(pickled_array(i4, pickled_tuple({2, -2}), ones)), "a size of -2 in a shape");
  EXPECT_ERROR(labels(pickled_array(i4, pickled_tuple({2147483647, 2147483647, 2147483647}), ones)), "in a shape");
  EXPECT_ERROR(labels(pickled_array("N", shape, ones)), "a dtype is None, expected an object");
  EXPECT_ERROR(labels(testing::pickled_global("numpy", "dtype") + ")R"), "an array is made by numpy.dtype, expected");
  const std::string reconstruct = testing::pickled_global("numpy.core.multiarray", "_reconstruct");
  EXPECT_ERROR(labels(reconstruct + ")R"), "an array has no state");
}

TEST(Planetoid, SaysWhatIsWrongWithTheFeatures) {
  const auto x = [](const testing::SmallCsr& matrix) { return load_with("x", pickled_csr_file(matrix)); };
  EXPECT_ERROR(x({2, 3, {0, 1}, {0}, {1}}), "ind.small.x: 2 row offsets for 2 rows, expected 3");
  EXPECT_ERROR(x({2, 3, {1, 1, 2}, {0, 0}, {1, 1}}), "row 0 begins at entry 1, expected 0");
  EXPECT_ERROR(x({2, 3, {0, 2, 1}, {0}, {1}}), "row 2 begins at entry 1, before row 1 at 2");
  EXPECT_ERROR(x({2, 3, {0, 1, 3}, {0, 0}, {1, 1}}), "the rows end at entry 3, but there are 2 entries");
  EXPECT_ERROR(x({2, 3, {0, 1, 2}, {0, 3}, {1, 1}}), "row 1 has an entry in column 3, but there are 3");
  EXPECT_ERROR(x({2, 3, {0, 1, 2}, {0, 1}, {1}}), "1 values for 2 entries");
  EXPECT_ERROR(x({-1, 3, {}, {}, {}}), "a matrix of -1 x 3");
  EXPECT_ERROR(x({2, 4, {0, 1, 2}, {0, 0}, {1, 2}}), "4 features and 2 classes, but allx has 3");
  EXPECT_ERROR(load_with("x", pickled("N")), "the file is None, expected an object");
  EXPECT_ERROR(load_with("x", pickled(testing::pickled_global("scipy.sparse.csr", "csr_matrix") + ")\x81}b")),
               "the dict has no entry '_shape'");
  auto files = small_planetoid();
  testing::ScratchFolder folder;
  files["x"] = files["allx"];
  files["y"] = files["ally"];
  files["allx"] = small_planetoid()["x"];
  files["ally"] = small_planetoid()["y"];
  for (const auto& [suffix, content] : files) folder.write("ind.small." + suffix, content);
  EXPECT_ERROR(load_planetoid(folder.path(), "small"), "ind.small.x: 6 rows, but allx has 2");
}

struct Published {
  const char* name;
  testing::Counts counts;
  int64_t nonzeros, train, unlabelled, alone;
};
void PrintTo(const Published& published, std::ostream* out) { *out << published.name; }

class PlanetoidPublished : public ::testing::TestWithParam<Published> {};

TEST_P(PlanetoidPublished, HasTheCountsOfTheReadme) {
  REQUIRE_REAL_DATA(folder, "planetoid");
  const Published& expected = GetParam();
  const Dataset data = load_planetoid(folder, expected.name);
  testing::expect_counts(data, expected.counts);
  EXPECT_TRUE(data.features.is_sparse());
  EXPECT_EQ(data.features.num_nonzeros(), expected.nonzeros);
  EXPECT_EQ(data.labels.eq(-1).sum().item<int64_t>(), expected.unlabelled);
  EXPECT_EQ(static_cast<int64_t>(data.train.size()), expected.train);
  EXPECT_EQ(data.valid.size(), 500u);
  EXPECT_EQ(data.valid.front(), expected.train);
  EXPECT_EQ(data.test.size(), 1000u);
  EXPECT_EQ(data.test.back(), expected.counts.nodes - 1);
  const Graph others = data.graph.with({.self_loops = SelfLoops::kRemove});
  int64_t alone = 0;
  for (NodeId i = 0; i < others.num_nodes(); ++i) alone += others.incoming().degree(i) == 0;
  EXPECT_EQ(alone, expected.alone);
}

INSTANTIATE_TEST_SUITE_P(
    Files, PlanetoidPublished,
    ::testing::Values(
        Published{"pubmed", {19717, 88651, 3, 1, 500, {4103, 7739, 7875}}, 988031, 60, 0, 0},
        Published{"cora", {2708, 10556, 0, 78, 1433, {351, 217, 418, 818, 426, 298, 180}}, 49216, 140, 0, 0},
        Published{"citeseer", {3327, 9228, 124, 438, 3703, {249, 590, 668, 701, 596, 508}}, 105165, 120, 15, 48}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace geniepath
