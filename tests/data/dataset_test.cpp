#include "geniepath/dataset.h"

#include <gtest/gtest.h>

#include "data/node_names.h"
#include "expect_error.h"
#include "small_dataset.h"

namespace geniepath {
namespace {

using testing::small_dataset;

TEST(Dataset, TrueEdgesAreEdgesOfTheGraphEachOnce) {
  const auto with = [](std::vector<std::pair<NodeId, NodeId>> edges) {
    Dataset data = small_dataset();
    data.true_edges = std::move(edges);
    return data;
  };
  EXPECT_NO_THROW(with({{0, 1}, {1, 0}, {2, 2}, {2, 3}}).validate());
  EXPECT_ERROR(with({{0, 3}}).validate(), "small: the true edge 0 -> 3 is not in the graph");
  EXPECT_ERROR(with({{0, 5}}).validate(), "the true edge 0 -> 5 is not in the graph");
  EXPECT_ERROR(with({{0, -1}}).validate(), "the true edge 0 -> -1 is not in the graph");
  EXPECT_ERROR(with({{5, 0}}).validate(), "the true edge 5 -> 0 is not in the graph");
  EXPECT_ERROR(with({{1, 0}, {0, 1}}).validate(), "the true edge 0 -> 1 follows 1 -> 0, expected ascending edges");
  EXPECT_ERROR(with({{0, 1}, {0, 1}}).validate(), "each once");
}

TEST(Dataset, PathLengthsAreOfEveryNodeOrNone) {
  Dataset data = small_dataset();
  data.path_length = {0, 1, 2, 3, 0};
  EXPECT_NO_THROW(data.validate());
  data.path_length.pop_back();
  EXPECT_ERROR(data.validate(), "small: 4 path lengths, expected 5 or none");
}

TEST(NodeNames, WholeNumbersAreFoundHoweverTheyAreWritten) {
  Dataset data;
  data.graph = Graph::from_edges(3, std::vector<NodeId>{0}, std::vector<NodeId>{1});
  const NodeNames numbers(data);
  EXPECT_EQ(numbers.find("2"), 2);
  EXPECT_EQ(numbers.find("2.0"), 2);
  EXPECT_EQ(numbers.find("2e+00"), 2);
  for (const char* unknown : {"3.0", "02", "2.5", "-1.0", "", "x"})
    EXPECT_EQ(numbers.find(unknown), std::nullopt) << unknown;
  data.node_names = {"838", "1.5", "838.0x"};
  const NodeNames names(data);
  EXPECT_EQ(names.find("8.38e+02"), 0);
  EXPECT_EQ(names.find("1.5"), 1);
  EXPECT_EQ(names.find("838.0x"), 2);
}

}  // namespace
}  // namespace geniepath
