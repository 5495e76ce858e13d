// Checks a published data set against the counts that its authors give.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::testing {

// Edges count once per direction, nodes without a label in no class.
struct Counts {
  int64_t nodes, edges, self_loops, components, features;
  std::vector<int64_t> class_sizes;
};

// Checks a symmetric graph whose nodes have at most one label.
inline void expect_counts(const Dataset& data, const Counts& expected) {
  data.validate();
  EXPECT_EQ(data.graph.num_nodes(), expected.nodes);
  EXPECT_EQ(data.graph.num_edges(), expected.edges);
  EXPECT_EQ(data.graph.num_self_loops(), expected.self_loops);
  EXPECT_TRUE(data.graph.is_symmetric());
  const auto components = data.graph.components();
  EXPECT_EQ(*std::max_element(components.begin(), components.end()) + 1, expected.components);
  EXPECT_EQ(data.features.num_features(), expected.features);
  EXPECT_EQ(data.num_classes, std::ssize(expected.class_sizes));
  const at::Tensor sizes = (data.labels + 1).bincount().slice(0, 1);
  EXPECT_EQ(std::vector<int64_t>(sizes.data_ptr<int64_t>(), sizes.data_ptr<int64_t>() + sizes.numel()),
            expected.class_sizes);
}

}  // namespace geniepath::testing
