#include "kernels/cpu/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/parallel_for.h"

namespace geniepath::kernels::cpu {
namespace {

struct Term {
  float loss, grad;
};

// With e = exp(-|x|), log(1 + exp(-x)) is max(-x, 0) + log(1 + e); nothing overflows.
Term term_of(float x, float target, float weight) {
  const float e = std::exp(-std::abs(x)), log_sum = std::log1p(e);
  const float sigma = (x >= 0 ? 1.0f : e) / (1.0f + e);
  const float positive = weight * target, negative = 1.0f - target;
  const float loss = positive * (std::max(-x, 0.0f) + log_sum) + negative * (std::max(x, 0.0f) + log_sum);
  return {loss, negative * sigma - positive * (1.0f - sigma)};
}

}  // namespace

void run(const SigmoidCrossEntropy& op) {
  constexpr int64_t kValuesATask = 1 << 13;
  const int64_t rows_at_once = 1 + kValuesATask / (op.width + 1);
  const auto scale = 1.0f / static_cast<float>(op.rows * op.width);
  std::vector<double> sums(static_cast<size_t>((op.rows + rows_at_once - 1) / rows_at_once));
  parallel_ranges(op.threads, op.rows, rows_at_once, [&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t n = begin * op.width; n < end * op.width; ++n) {
      const float weight = op.positive_weight == nullptr ? 1.0f : op.positive_weight[n % op.width];
      const Term term = term_of(op.logits[n], op.targets[n], weight);
      sum += static_cast<double>(term.loss);
      op.grad[n] = term.grad * scale;
    }
    sums[static_cast<size_t>(begin / rows_at_once)] = sum;
  });
  *op.loss =
      static_cast<float>(std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(op.rows * op.width));
}

}  // namespace geniepath::kernels::cpu
