// Training data divided into steps of whole graphs. The gradient of a union is the sum of its graphs' gradients, so
// each graph is prepared and moved to the device once, and used in whichever step an epoch's order puts it in.
#pragma once

#include <vector>

#include "training/share.h"

namespace geniepath::training {

class StepBatches {
 public:
  StepBatches() = default;  // none
  // batch_graphs: graphs per step, over all processes; 0: all in one step, each process with its share of them.
  StepBatches(const Share& share, int64_t batch_graphs, uint64_t seed, at::Device device);

  size_t size() const { return batches_.size(); }
  const Batch& operator[](size_t b) const { return batches_[b]; }
  int64_t steps_per_epoch() const;

  // The steps of an epoch, each a list of batches, in an order determined by the seed and the epoch. Of several
  // processes, each has some batches of every step.
  std::vector<std::vector<size_t>> steps(int64_t epoch) const;

 private:
  std::vector<size_t> own(const std::vector<size_t>& step) const;

  int64_t batch_graphs_ = 0;
  uint64_t seed_ = 0;
  int64_t rank_ = 0, processes_ = 1;  // that divide a step's batches
  std::vector<Batch> batches_;
};

}  // namespace geniepath::training
