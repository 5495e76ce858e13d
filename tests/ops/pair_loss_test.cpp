#include "ops/pair_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "ops/gradient_check.h"

namespace geniepath::ops {
namespace {

// Five nodes; node 3 is in no pair, node 0 is paired with node 2 twice.
SparseMatrix pairs() {
  return {5, 5, std::vector<int64_t>{0, 3, 4, 6, 6, 7}, std::vector<int32_t>{2, 2, 1, 0, 4, 1, 0},
          std::vector<float>{0.5f, -0.25f, 0.25f, -0.5f, 1.0f, -1.0f, 0.25f}};
}

TEST(PairLoss, GradientsAgainstCentralDifferences) {
  at::manual_seed(1);
  const SparseTensors sparse(pairs());
  testing::expect_gradients([&](const testing::Tensors& x) { return 3 * pair_loss(sparse, x[0]); },
                            {testing::leaf({5, 3})});
}

TEST(PairLoss, SinglePrecisionAgreesWithDouble) {
  at::manual_seed(2);
  const SparseTensors sparse(pairs());
  const at::Tensor exact = testing::leaf({5, 17});
  const at::Tensor z = exact.detach().to(at::kFloat).requires_grad_();
  const at::Tensor a = pair_loss(sparse, z), b = pair_loss(sparse, exact);
  EXPECT_NEAR(a.item<double>(), b.item<double>(), 1e-5);
  a.backward();
  b.backward();
  EXPECT_LT((z.grad().to(at::kDouble) - exact.grad()).abs().max().item<double>(), 1e-5);
}

TEST(PairLoss, SaysWhatIsWrong) {
  EXPECT_ERROR(pair_loss(SparseTensors(pairs()), at::randn({4, 3})), "pair_loss: z has 4 rows, expected 5");
  const SparseMatrix wide{1, 2, std::vector<int64_t>{0, 1}, std::vector<int32_t>{1}, std::vector<float>{1}};
  EXPECT_ERROR(pair_loss(SparseTensors(wide), at::randn({1, 3})), "pairs have 1 rows and 2 columns");
}

}  // namespace
}  // namespace geniepath::ops
