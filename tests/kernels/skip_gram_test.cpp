#include "kernels/cpu/skip_gram.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"
#include "kernels/cpu/pair_loss.h"
#include "kernels/reference/pair_loss.h"
#include "kernels/reference/skip_gram.h"

namespace geniepath::kernels {
namespace {

struct SmallProblem {
  std::vector<NodePair> pairs;
  std::vector<int32_t> node{0, 1, 2, 3, 4, 5}, alias{1, 0, 2, 2, 2, 0};
  std::vector<uint32_t> keep{1u << 31, 1u << 30, 0xffffffffu, 1u << 29, 7u << 28, 1u << 31};
  std::vector<float> center, context;

  explicit SmallProblem(size_t width, int64_t count = 200) {
    Random random{3};
    for (int64_t n = 0; n < count; ++n) {
      pairs.push_back({static_cast<int32_t>(random.below(6)), static_cast<int32_t>(random.below(6))});
    }
    center = testing::normal_values(6 * width, {1}, 0.3);
    context = testing::normal_values(6 * width, {2}, 0.3);
  }
  SkipGramBlock block(size_t width, int64_t negatives) const {
    const AliasSampler sampler{6, node.data(), keep.data(), alias.data()};
    return {pairs.data(),
            static_cast<int64_t>(pairs.size()),
            sampler,
            negatives,
            static_cast<int64_t>(width),
            0.05f,
            77,
            0};
  }
};

TEST(SkipGramKernel, MatchesTheFormula) {
  for (const size_t width : {1, 3, 8, 15, 16, 33, 64, 128, 130}) {
    for (const int64_t negatives : {1, 5, 16, 63}) {
      SCOPED_TRACE("width " + std::to_string(width) + ", negatives " + std::to_string(negatives));
      SmallProblem ours(width), plain(width);
      auto center = testing::cast<double>(ours.center), context = testing::cast<double>(ours.context);
      SkipGramBlock block = ours.block(width, negatives), f32 = plain.block(width, negatives), exact = block;
      cpu::run(cpu::SkipGram{{&block, 1}, ours.center.data(), ours.context.data(), 1});
      reference::skip_gram<float>(f32, plain.center.data(), plain.context.data());
      reference::skip_gram<double>(exact, center.data(), context.data());
      EXPECT_NEAR(block.loss, exact.loss, 1e-5 * exact.loss);
      // 200 steps feed rounding errors back into the rows, so the bound is the error of plain f32.
      EXPECT_LE(testing::distance(ours.center, center), 4 * testing::distance(plain.center, center) + 2e-6);
      EXPECT_LE(testing::distance(ours.context, context), 4 * testing::distance(plain.context, context) + 2e-6);
    }
  }
}

TEST(SkipGramKernel, TakesAStepAgainstTheGradientOfTheLoss) {
  const size_t width = 4;
  SmallProblem problem(width, 1);
  SkipGramBlock block = problem.block(width, 2);
  auto center = testing::cast<double>(problem.center), context = testing::cast<double>(problem.context);
  const auto loss_at = [&](std::vector<double> c, std::vector<double> x) {
    SkipGramBlock still = block;
    still.rate = 0;
    reference::skip_gram<double>(still, c.data(), x.data());
    return still.loss;
  };
  auto moved_center = center, moved_context = context;
  block.rate = 1e-3f;
  reference::skip_gram<double>(block, moved_center.data(), moved_context.data());
  for (size_t n = 0; n < center.size(); ++n) {
    auto above = center, below = center;
    above[n] += 1e-5, below[n] -= 1e-5;
    const double slope = (loss_at(above, context) - loss_at(below, context)) / 2e-5;
    EXPECT_NEAR(moved_center[n] - center[n], -static_cast<double>(1e-3f) * slope, 1e-6);
    above = below = context;
    above[n] += 1e-5, below[n] -= 1e-5;
    const double other = (loss_at(center, above) - loss_at(center, below)) / 2e-5;
    EXPECT_NEAR(moved_context[n] - context[n], -static_cast<double>(1e-3f) * other, 1e-6);
  }
}

TEST(PairLossKernel, MatchesTheFormulaOnGraphsThatHurt) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    for (const size_t width : {1, 5, 16, 33, 100}) {
      SCOPED_TRACE(name + ", K " + std::to_string(width));
      const Rows rows = testing::incoming_rows(graph);
      const auto nodes = static_cast<size_t>(graph.num_nodes()), edges = static_cast<size_t>(graph.num_edges());
      const auto z = testing::normal_values(nodes * width, {1}), weight = testing::normal_values(edges, {2});
      const auto k = static_cast<int64_t>(width);
      std::vector<float> slope(edges, -7), loss(nodes, -7), plain_slope(edges), plain_loss(nodes);
      cpu::run(cpu::PairLoss{rows, weight.data(), k, z.data(), slope.data(), loss.data(), 2});
      reference::pair_loss<float>(rows, weight.data(), k, z.data(), plain_slope.data(), plain_loss.data());
      const auto z64 = testing::cast<double>(z);
      std::vector<double> exact_slope(edges), exact_loss(nodes);
      reference::pair_loss<double>(rows, weight.data(), k, z64.data(), exact_slope.data(), exact_loss.data());
      EXPECT_LE(testing::distance(slope, exact_slope), 2 * testing::distance(plain_slope, exact_slope) + 1e-6);
      EXPECT_LE(testing::distance(loss, exact_loss),
                2 * testing::distance(plain_loss, exact_loss) + 1e-6 * std::max(1.0, testing::largest_of(exact_loss)));
    }
  }
}

}  // namespace
}  // namespace geniepath::kernels
