#include "training/step_batches.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace geniepath::training {

StepBatches::StepBatches(const Dataset& data, int64_t batch_graphs, uint64_t seed, at::Device device)
    : batch_graphs_(batch_graphs), seed_(seed) {
  if (batch_graphs == 0) {
    batches_.push_back(split_batch(data, data.train).to(device));
    return;
  }
  for (const int64_t part : parts_with(data, data.train)) {
    batches_.push_back(parts_batch(data, {part}, data.train).to(device));
  }
}

int64_t StepBatches::steps_per_epoch() const {
  const int64_t per_step = std::max<int64_t>(1, batch_graphs_);
  return (std::ssize(batches_) + per_step - 1) / per_step;
}

std::vector<std::vector<size_t>> StepBatches::steps(int64_t epoch) const {
  constexpr uint64_t kOrderStream = 1;
  std::vector<size_t> order(batches_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  shuffle(order, Random{seed_, kOrderStream, static_cast<uint64_t>(epoch)});
  const auto per_step = static_cast<size_t>(std::max<int64_t>(1, batch_graphs_));
  std::vector<std::vector<size_t>> steps;
  for (size_t begin = 0; begin < order.size(); begin += per_step) {
    const size_t end = std::min(begin + per_step, order.size());
    steps.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return steps;
}

}  // namespace geniepath::training
