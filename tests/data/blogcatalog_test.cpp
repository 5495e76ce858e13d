#include "data/formats/blogcatalog.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "io/file_writers.h"
#include "io/mat.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::mat_file;
using testing::mat_sparse;

// Nodes 0 - 1 - 2 and an explicit 0; groups: 0 and 2 in the second, 1 in both.
std::string small_mat() {
  return mat_file(mat_sparse("network", 3, 3, {1, 2, 0, 2, 1}, {0, 2, 4, 5}, {1, 0, 1, 1, 1}) +
                  mat_sparse("group", 3, 2, {1, 0, 1, 2}, {0, 1, 4}, {1, 1, 1, 1}));
}

void expect_same_graph_and_labels(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.graph.num_edges(), b.graph.num_edges());
  EXPECT_TRUE(std::equal(a.graph.incoming().neighbour.begin(), a.graph.incoming().neighbour.end(),
                         b.graph.incoming().neighbour.begin(), b.graph.incoming().neighbour.end()));
  EXPECT_TRUE(std::equal(a.graph.incoming().offset.begin(), a.graph.incoming().offset.end(),
                         b.graph.incoming().offset.begin(), b.graph.incoming().offset.end()));
  EXPECT_TRUE(a.labels.equal(b.labels));
}

TEST(BlogCatalog, BothFormsMakeTheSameDataSet) {
  if (!MatFile::available()) GTEST_SKIP() << "built without libmatio";
  testing::ScratchFolder folder;
  folder.write("mat/blogcatalog.mat", small_mat());
  folder.write("csv/edges.csv", "1,2\n2,3\n");
  folder.write("csv/group-edges.csv", "2,1\n1,2\n2,2\n3,2\n");
  const Dataset mat = load_blogcatalog(folder / "mat"), csv = load_blogcatalog(folder / "csv");
  mat.validate();
  csv.validate();
  EXPECT_EQ(mat.graph.num_edges(), 4);
  EXPECT_EQ(mat.labels.sum().item<float>(), 4);
  expect_same_graph_and_labels(mat, csv);
}

TEST(BlogCatalog, TablesSayWhatIsWrong) {
  testing::ScratchFolder folder;
  const auto load = [&](const std::string& edges, const std::string& groups) {
    folder.write("edges.csv", edges);
    folder.write("group-edges.csv", groups);
    return load_blogcatalog(folder.path());
  };
  EXPECT_ERROR(load_blogcatalog(folder.path()), "found neither blogcatalog.mat nor edges.csv");
  EXPECT_ERROR(load("1,2\n0,1\n", "1,1\n"), "edges.csv:2: expected a number from 1 to 10000000, found '0'");
  EXPECT_ERROR(load("1,2\n", "1,x\n"), "group-edges.csv:1: expected a number from 1 to 10000000, found 'x'");
  EXPECT_ERROR(load("1,2,3\n", "1,1\n"), "edges.csv:1: expected 2 fields, found 3");
  EXPECT_ERROR(load("1,9000000\n", "1,1\n"), "node ids go up to 9000000, but the tables name only 3 nodes");
  EXPECT_ERROR(load("1,2\n", "1,5000\n"), "2 nodes and 5000 groups, expected at most");
}

TEST(BlogCatalog, MatSaysWhatIsWrong) {
  if (!MatFile::available()) GTEST_SKIP() << "built without libmatio";
  testing::ScratchFolder folder;
  const auto load = [&](const std::string& bytes) {
    folder.write("blogcatalog.mat", bytes);
    return load_blogcatalog(folder.path());
  };
  const std::string group = mat_sparse("group", 2, 1, {0}, {0, 1}, {1});
  const auto network = [&](const std::vector<int32_t>& row, const std::vector<int32_t>& begin) {
    return load(mat_file(mat_sparse("network", 2, 2, row, begin, {1, 1}) + group));
  };
  EXPECT_EQ(network({1, 0}, {0, 1, 2}).graph.num_edges(), 2);
  EXPECT_ERROR(load("short"), "5 bytes, expected a header of 128");
  EXPECT_ERROR(load(std::string(200, 'x')), "byte 124: not a little-endian MATLAB level 5 file");
  EXPECT_ERROR(load(mat_file(group)), "variable 'network': missing or damaged");
  EXPECT_ERROR(network({1, 7}, {0, 1, 2}), "variable 'network': entry 1 is in row 7 of 2");
  EXPECT_ERROR(network({1, 0}, {0, 2, 1}), "the column pointers do not ascend from 0");
  EXPECT_ERROR(network({1, 0}, {0, 1, 9}), "the column pointers count 9 entries, but there are 2");
  EXPECT_ERROR(network({1, 0}, {0, 1}), "2 column pointers, expected 3");
  EXPECT_ERROR(load(mat_file(mat_sparse("network", 2, 3, {1}, {0, 1, 1, 1}, {1}) + group)), "expected N x N and N x L");
  EXPECT_ERROR(load(small_mat() + "more"), "an element is cut short");
  EXPECT_ERROR(load(mat_file(testing::mat_element(9, "12345678"))), "expected a matrix");
  EXPECT_ERROR(load(mat_file(testing::mat_element(14, testing::mat_element(6, "short")))), "expected 8 bytes of flags");
  EXPECT_ERROR(load(mat_file(testing::mat_element(14, testing::mat_element(6, std::string("\1\0\0\0\0\0\0\0", 8))))),
               "a matrix of class 1, expected sparse (5)");
  EXPECT_ERROR(load(mat_file(testing::mat_element(14, testing::mat_element(6, std::string("\5\0\0\0\0\0\0\0", 8))))),
               "a real sparse matrix has 6 parts, found 1");
  std::string typed = small_mat();
  typed[128 + 8 + 16 + 16 + 16] = 9;  // the row indices' type
  EXPECT_ERROR(load(typed), "the row indices are of type 9 in 20 bytes, expected 32-bit numbers");
  EXPECT_ERROR(load(mat_file(testing::mat_element(15, "no zlib stream"))), "the compressed data is damaged");
  std::string lying = small_mat();
  lying[128 + 8 + 16 + 4 + 3] = 0x7f;  // the upper byte of the dimensions' length
  EXPECT_ERROR(load(lying), "in the element at byte 128: byte 24: an element of");
  const std::string whole = small_mat();
  for (size_t length = 0; length < whole.size(); length += 5) {
    EXPECT_THROW(load(whole.substr(0, length)), Error) << length;
  }
}

TEST(BlogCatalog, PublishedFilesHaveThePublishedCounts) {
  REQUIRE_REAL_DATA(folder, "blogcatalog");
  testing::ScratchFolder tables;
  for (const char* file : {"edges.csv", "group-edges.csv"}) std::filesystem::copy_file(folder / file, tables / file);
  const Dataset csv = load_blogcatalog(tables.path());
  csv.validate();
  EXPECT_EQ(csv.name, "blogcatalog");
  EXPECT_EQ(csv.graph.num_nodes(), 10312);
  EXPECT_EQ(csv.graph.num_edges(), 2 * 333983);
  EXPECT_EQ(csv.graph.num_self_loops(), 0);
  EXPECT_TRUE(csv.graph.is_symmetric());
  EXPECT_EQ(csv.num_classes, 39);
  EXPECT_EQ(csv.labels.sum().item<float>(), 14476);
  const at::Tensor per_node = csv.labels.sum(1);
  EXPECT_EQ(per_node.min().item<float>(), 1);
  EXPECT_EQ(per_node.max().item<float>(), 11);
  EXPECT_EQ(csv.features.num_features(), 10312);
  EXPECT_EQ(csv.features.num_nonzeros(), 10312);
  EXPECT_EQ(csv.task, Task::kMultiLabel);
  EXPECT_EQ(csv.metric, "macro_f1");
  EXPECT_TRUE(csv.train.empty() && csv.valid.empty() && csv.test.empty());
  if (MatFile::available()) expect_same_graph_and_labels(load_blogcatalog(folder), csv);
}

}  // namespace
}  // namespace geniepath
