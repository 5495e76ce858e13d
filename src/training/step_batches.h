// The training data cut into steps. A step takes whole graphs; their gradients add up to that of their union, so each
// graph is prepared once, put where the model is, and used in whatever step the epoch's order gives it to.
#pragma once

#include <vector>

#include "training/batch.h"

namespace geniepath::training {

class StepBatches {
 public:
  // batch_graphs 0: everything in one step.
  StepBatches(const Dataset& data, int64_t batch_graphs, uint64_t seed, at::Device device);

  size_t size() const { return batches_.size(); }
  const Batch& operator[](size_t b) const { return batches_[b]; }
  int64_t num_nodes() const;  // that count, over all batches

  // The steps of an epoch, each a list of batches. Their order follows from the seed and the epoch.
  std::vector<std::vector<size_t>> steps(int64_t epoch) const;

 private:
  int64_t batch_graphs_;
  uint64_t seed_;
  std::vector<Batch> batches_;
};

}  // namespace geniepath::training
