// Mini-batches: what each step of an epoch trains on, where that is not the whole graph.
#pragma once

#include <memory>

#include "geniepath/train.h"
#include "training/batch.h"

namespace geniepath::training {

// Not safe to use from several threads.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  // The same for every epoch; each training node is in one step.
  virtual int64_t steps_per_epoch() const = 0;
  // The step of an epoch that needs the most memory; by default the first, where all are about as large.
  virtual int64_t largest_step(int64_t /*epoch*/) const { return 0; }
  // The batch of a step, from 0, on the CPU: a function of the seed, the epoch and the step. Of several processes, each
  // gets its share of the step's training nodes, components or clusters, possibly none.
  virtual Batch make(int64_t epoch, int64_t step) = 0;
};

// One of several processes.
struct OneOf {
  int64_t rank = 0, size = 1;
};

// For config.batch other than kWhole. `data` must outlive it.
std::unique_ptr<BatchSource> make_batch_source(const Dataset& data, const TrainConfig& config, OneOf process = {});

}  // namespace geniepath::training
