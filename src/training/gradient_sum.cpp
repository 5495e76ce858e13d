#include "training/gradient_sum.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace geniepath::training {
namespace {

constexpr int64_t kBucket = int64_t{1} << 18;  // floats: 1 MiB

}  // namespace

// Called by autograd when a parameter's gradient is complete.
struct GradientSum::Completed final : torch::autograd::FunctionPostHook {
  Completed(GradientSum& to, size_t of) : sum(to), bucket(of) {}
  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list& /*inputs*/) override {
    sum.complete(bucket);
    return outputs;
  }
  GradientSum& sum;
  size_t bucket;
};

GradientSum::GradientSum(distributed::Group& group, const Adam& adam) : group_(group.another()) {
  if (group.is_alone()) return;
  int64_t end = adam.gradients().numel();
  for (size_t p = adam.parameters().size(); p-- > 0;) {
    if (buckets_.empty() || buckets_.back().gradient.defined()) buckets_.emplace_back();
    const auto accumulator = torch::autograd::impl::grad_accumulator(adam.parameters()[p].second);
    accumulator->add_post_hook(std::make_unique<Completed>(*this, buckets_.size() - 1));
    kept_.push_back(accumulator);
    ++buckets_.back().parameters;
    const int64_t begin = adam.first(p);
    if (end - begin < kBucket && p > 0) continue;
    buckets_.back().gradient = adam.gradients().narrow(0, begin, end - begin);
    end = begin;
  }
}

GradientSum::~GradientSum() = default;

void GradientSum::expect_last() {
  is_last_ = true;
  for (Bucket& bucket : buckets_) bucket.missing = bucket.parameters;
}

void GradientSum::complete(size_t bucket) {
  if (!is_last_) return;
  --buckets_[bucket].missing;
  send_completed();
}

// Sends in order, which must be the same in all processes.
void GradientSum::send_completed() {
  while (sent_.size() < buckets_.size() && buckets_[sent_.size()].missing == 0) {
    sent_.push_back(group_->start_sum(buckets_[sent_.size()].gradient));
  }
}

void GradientSum::finish() {
  for (Bucket& bucket : buckets_) bucket.missing = 0;  // also of parameters that the step did not use
  send_completed();
  for (const auto& pending : sent_) pending->wait();
  sent_.clear();
  is_last_ = false;
}

}  // namespace geniepath::training
