#include "kernels/cpu/skip_gram.h"

#include "base/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/skip_gram.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr size_t kMostTargets = kMostNegatives + 1;

// The rows of one pair and their values, padded to whole vectors; entries past `count` have weight 0.
struct Targets {
  size_t count = 0;
  float* row[kMostTargets];
  HWY_ALIGN float score[kMostTargets];   // c_u . x
  HWY_ALIGN float label[kMostTargets];   // 1 for the context, 0 for the negatives
  HWY_ALIGN float weight[kMostTargets];  // 0: does not count
  HWY_ALIGN float factor[kMostTargets];  // rate (label - s(score))
};

void draw_targets(const SkipGramBlock& block, int64_t pair, float* context, Targets& targets) {
  const int32_t positive = block.pairs[pair].context;
  targets.row[0] = context + positive * block.width;
  for (int64_t j = 0; j < block.negatives; ++j) {
    const int32_t node = block.negative.draw(negative_bits(block.key, pair * block.negatives + j));
    targets.row[j + 1] = context + node * block.width;
    targets.weight[j + 1] = node == positive ? 0.0f : 1.0f;
  }
}

// Factors of all targets from their scores; returns the pair's loss.
HWY_INLINE float weigh(Targets& targets, float rate) {
  const FullFloat d;
  auto loss = hn::Zero(d);
  for (size_t j = 0; j < targets.count; j += hn::Lanes(d)) {
    const auto score = hn::Load(d, targets.score + j), label = hn::Load(d, targets.label + j);
    const auto weight = hn::Load(d, targets.weight + j);
    const auto share = hn::Sub(label, sigmoid(d, score));
    hn::Store(hn::Mul(hn::Mul(hn::Set(d, rate), weight), share), d, targets.factor + j);
    // softplus of the score, or of its opposite for the context: score - label * score = 0 or score
    const auto above = hn::Sub(hn::Max(score, hn::Zero(d)), hn::Mul(label, score));
    const auto below = hn::Log1p(d, hn::Exp(d, hn::Neg(hn::Abs(score))));
    loss = hn::MulAdd(weight, hn::Add(above, below), loss);
  }
  return sum_of(d, loss);
}

HWY_INLINE void update(const Targets& targets, float* center, size_t width) {
  for_each_vector(width, [&](auto d, size_t k) HWY_ATTR {
    const auto u = hn::LoadU(d, center + k);
    auto change = hn::Zero(d);
    for (size_t j = 0; j < targets.count; ++j) {
      const auto factor = hn::Set(d, targets.factor[j]);
      const auto x = hn::LoadU(d, targets.row[j] + k);
      change = hn::MulAdd(factor, x, change);
      hn::StoreU(hn::MulAdd(factor, u, x), d, targets.row[j] + k);
    }
    hn::StoreU(hn::Add(u, change), d, center + k);
  });
}

void train_block(SkipGramBlock& block, float* center, float* context) {
  const auto width = static_cast<size_t>(block.width);
  Targets targets{};
  targets.count = static_cast<size_t>(block.negatives) + 1;
  targets.label[0] = targets.weight[0] = 1.0f;
  block.loss = 0;
  for (int64_t i = 0; i < block.count; ++i) {
    float* u = center + block.pairs[i].center * block.width;
    draw_targets(block, i, context, targets);
    for (size_t j = 0; j < targets.count; ++j) targets.score[j] = dot(u, targets.row[j], width);
    block.loss += static_cast<double>(weigh(targets, block.rate));
    update(targets, u, width);
  }
}

}  // namespace

void skip_gram(const SkipGram& op) {
  parallel_for(op.threads, static_cast<int64_t>(op.blocks.size()), [&](int64_t b) HWY_ATTR {
    train_block(op.blocks[static_cast<size_t>(b)], op.center, op.context);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(SkipGram, skip_gram)
#endif
