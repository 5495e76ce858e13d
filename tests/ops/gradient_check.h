// Gradients against central differences, in f64.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace geniepath::testing {

using Tensors = std::vector<at::Tensor>;

// function: leaves -> scalar. Every element of every leaf is perturbed in both directions.
inline void expect_gradients(const std::function<at::Tensor(const Tensors&)>& function, const Tensors& leaves,
                             double tolerance = 1e-7) {
  for (const at::Tensor& leaf : leaves) {
    ASSERT_EQ(leaf.scalar_type(), at::kDouble);
    leaf.mutable_grad() = at::Tensor();
  }
  function(leaves).backward();
  const at::NoGradGuard no_grad;
  constexpr double kStep = 1e-5;
  for (size_t l = 0; l < leaves.size(); ++l) {
    const at::Tensor& grad = leaves[l].grad();
    ASSERT_TRUE(grad.defined()) << "leaf " << l << " has no gradient";
    auto* values = leaves[l].data_ptr<double>();
    const at::Tensor dense = grad.contiguous();
    for (int64_t n = 0; n < leaves[l].numel(); ++n) {
      const double kept = values[n];
      values[n] = kept + kStep;
      const double above = function(leaves).item<double>();
      values[n] = kept - kStep;
      const double below = function(leaves).item<double>();
      values[n] = kept;
      const double expected = (above - below) / (2 * kStep);
      ASSERT_NEAR(dense.data_ptr<double>()[n], expected, tolerance * std::max(1.0, std::abs(expected)))
          << "leaf " << l << ", element " << n;
    }
  }
}

inline at::Tensor leaf(at::IntArrayRef shape, double scale = 1) {
  return (at::randn(shape, at::kDouble) * scale).requires_grad_();
}

}  // namespace geniepath::testing
