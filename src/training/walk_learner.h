// What learns from walks alone: a table of node embeddings by skip-gram, or any model by the walk loss on its output.
#pragma once

#include <memory>

#include "geniepath/train.h"
#include "training/state.h"

namespace geniepath::training {

class WalkLearner {
 public:
  virtual ~WalkLearner() = default;
  // One walk from every node. Fills loss, learning rate and gradient norm of the record, whose epoch is given.
  virtual void run_epoch(EpochRecord& record) = 0;
  // All that a later call needs to go on to the same bits, and the epochs done. The model's weights are up to date after
  // run_epoch and restore.
  virtual TensorFile state(int64_t epoch) const = 0;
  virtual int64_t restore(const TensorFile& state, const std::string& where) = 0;
};

// `model` is the run's, whose weights it teaches; both must outlive the learner.
std::unique_ptr<WalkLearner> make_walk_learner(const Dataset& data, const Recipe& recipe, Model& model);

}  // namespace geniepath::training
