#include "training/step_batches.h"

#include <algorithm>
#include <numeric>

#include "base/even_shares.h"
#include "base/random.h"

namespace geniepath::training {

StepBatches::StepBatches(const Share& share, int64_t batch_graphs, uint64_t seed, at::Device device)
    : batch_graphs_(batch_graphs), seed_(seed) {
  if (batch_graphs == 0) {
    batches_.push_back(share.batch(Split::kTrain, InputUse::kTraining).to(device));
    return;
  }
  rank_ = share.group().rank(), processes_ = share.group().size();
  const Dataset& data = share.whole();
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
    steps.push_back(
        own({order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return steps;
}

std::vector<size_t> StepBatches::own(const std::vector<size_t>& step) const {
  if (processes_ == 1) return step;
  std::vector<int64_t> nodes;
  for (const size_t b : step) nodes.push_back(batches_[b].input.graph.num_nodes());
  const std::vector<int32_t> process = even_shares(nodes, processes_);
  std::vector<size_t> kept;
  for (size_t n = 0; n < step.size(); ++n) {
    if (process[n] == rank_) kept.push_back(step[n]);
  }
  return kept;
}

}  // namespace geniepath::training
