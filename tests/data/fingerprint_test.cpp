#include "data/fingerprint.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>

#include "data/formats/graph_file.h"
#include "scratch_folder.h"
#include "small_dataset.h"

namespace geniepath {
namespace {

using testing::small_dataset;

TEST(Fingerprint, ComesBackFromAFileAndIgnoresNamesAndTheGroundTruth) {
  const testing::ScratchFolder scratch;
  Dataset data = small_dataset();
  const std::string before = fingerprint(data);
  EXPECT_EQ(before.size(), 16u);
  write_graph_file(scratch / "elsewhere.safetensors", data);
  EXPECT_EQ(fingerprint(read_graph_file(scratch / "elsewhere.safetensors")), before);
  data.name = "other";
  data.true_edges = {{0, 1}};
  data.path_length = {0, 1, 0, 0, 0};
  EXPECT_EQ(fingerprint(data), before);
}

TEST(Fingerprint, AZeroIsTheSameStoredOrNot) {
  Dataset data = small_dataset();
  data.features = SparseMatrix{5, 2, std::vector<int64_t>{0, 1, 1, 2, 2, 2}, std::vector<int32_t>{1, 0},
                               std::vector<float>{3, 4}};
  const std::string without = fingerprint(data);
  data.features = SparseMatrix{5, 2, std::vector<int64_t>{0, 2, 2, 3, 4, 4}, std::vector<int32_t>{0, 1, 0, 1},
                               std::vector<float>{0, 3, 4, 0}};
  EXPECT_EQ(fingerprint(data), without);
}

TEST(Fingerprint, EveryPartCounts) {
  const auto changed = [](const auto& change) {
    Dataset data = small_dataset();
    data.labels = data.labels.clone();
    change(data);
    return fingerprint(data);
  };
  std::set<std::string> all{changed([](Dataset&) {})};
  EXPECT_EQ(*all.begin(), fingerprint(small_dataset()));
  all.insert(changed([](Dataset& data) { data.graph = data.graph.with({.self_loops = SelfLoops::kAdd}); }));
  all.insert(changed([](Dataset& data) {
    std::vector<NodeId> rows(static_cast<size_t>(data.graph.num_nodes()), 0);
    data.features = data.features.select_rows(rows);
  }));
  all.insert(changed([](Dataset& data) { data.labels[0] = 1 - data.labels[0]; }));
  all.insert(changed([](Dataset& data) { data.num_classes += 1; }));
  all.insert(changed([](Dataset& data) { data.valid.push_back(data.train.back()), data.train.pop_back(); }));
  EXPECT_EQ(all.size(), 6u);
}

}  // namespace
}  // namespace geniepath
