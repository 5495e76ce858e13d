// The one loop of training.
#pragma once

#include "training/training.h"

namespace geniepath::training {

// Keeps what a training leaves behind. This one keeps nothing; a run's writes its folder.
class Recorder {
 public:
  virtual ~Recorder() = default;
  // Before the first epoch: brings the training to where it was left, if it was.
  virtual void begin(Training& /*training*/) {}
  virtual void add(const EpochRecord& /*record*/) {}
  // Everything so far is safe when it returns.
  virtual void save(const Training& /*training*/) {}
  virtual void save_best(const Training& /*training*/) {}
  // For messages, after "the best checkpoint" and "what was saved": where they are. "" where nothing is kept.
  virtual std::string place() const { return ""; }
};

// Runs epochs until the training is finished or is told to stop, and finishes it. An Error, or too little memory, ends it
// with the best weights so far saved.
TrainResult run_training(Training& training, Recorder& recorder, const TrainHooks& hooks);

}  // namespace geniepath::training
