#include "geniepath/dataset.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace geniepath
