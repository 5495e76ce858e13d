#include "explain/node_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace geniepath {
namespace {

using explain::NodeIndex;

// A small fraction of all nodes, half of them, all of them: by search, and by table.
TEST(NodeIndex, NumbersNodesInTheOrderTheyAreMet) {
  for (const NodeId bound : {1, 7, 16, 17, 64, 5000, 2000000000}) {
    NodeIndex index(bound);
    std::vector<NodeId> met;
    Random random{1};
    for (int n = 0; n < 4000; ++n) {
      const auto node = static_cast<NodeId>(random.below(static_cast<uint64_t>(bound)));
      const auto known = std::find(met.begin(), met.end(), node);
      const auto [number, added] = index.add(node);
      EXPECT_EQ(added, known == met.end());
      EXPECT_EQ(number, known - met.begin());
      if (added) met.push_back(node);
    }
    EXPECT_EQ(index.nodes(), met);
    for (NodeId node = 0; node < std::min(bound, 5000); ++node) {
      const auto known = std::find(met.begin(), met.end(), node);
      EXPECT_EQ(index.find(node), known == met.end() ? -1 : known - met.begin());
    }
  }
}

TEST(NodeIndex, SortsTheLastOnes) {
  for (const NodeId bound : {300, 100000000}) {
    for (const int32_t first : {0, 1, 100, 199, 200}) {
      NodeIndex index(bound);
      for (NodeId node = 0; node < 200; ++node) index.add((node * 77) % 299);
      std::vector<NodeId> expected = index.nodes();
      std::sort(expected.begin() + first, expected.end());
      index.sort_from(first);
      EXPECT_EQ(index.nodes(), expected);
      for (int32_t n = 0; n < index.size(); ++n) EXPECT_EQ(index.find(index[n]), n);
    }
  }
}

}  // namespace
}  // namespace geniepath
