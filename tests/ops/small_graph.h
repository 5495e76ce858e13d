// Shared by tests of operations: a small random graph, and a scalar to differentiate.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "geniepath/ops.h"
#include "graphs_that_hurt.h"

namespace geniepath::testing {

class SmallGraphTest : public ::testing::Test {
 protected:
  void SetUp() override { at::manual_seed(1); }
  const Graph graph_ = random_graph(7, 20, 2);
  const GraphTensors tensors_{graph_};
};

// A scalar that mixes all outputs with different weights.
inline at::Tensor mixed(const at::Tensor& x) {
  const at::Tensor weights = at::linspace(-1, 2, x.numel(), x.options().requires_grad(false)).view_as(x);
  return (x * weights).sum();
}

}  // namespace geniepath::testing
