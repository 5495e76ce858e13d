// The training loop, shared by all kinds of training.
#pragma once

#include "training/training.h"

namespace geniepath::training {

// Records the results of a training. The base class records nothing; a run's recorder writes to its folder.
class Recorder {
 public:
  virtual ~Recorder() = default;
  // Called before the first epoch; restores the state of an earlier training, if any.
  virtual void begin(Training& /*training*/) {}
  virtual void add(const EpochRecord& /*record*/) {}
  // When it returns, everything so far is on disk.
  virtual void save(const Training& /*training*/) {}
  virtual void save_best(const Training& /*training*/) {}
  // Location of the best checkpoint, for messages; empty if nothing is recorded.
  virtual std::string place() const { return ""; }
};

// Runs epochs until the training is finished or stopped by the hooks, then finishes it. On an Error or a lack of
// memory, it saves the best weights so far and throws an Error.
TrainResult run_training(Training& training, Recorder& recorder, const TrainHooks& hooks);

}  // namespace geniepath::training
