// Learning from walks alone: a table of node embeddings by skip-gram, or any model by the walk loss.
#pragma once

#include <memory>

#include "geniepath/train.h"
#include "training/state.h"

namespace geniepath::training {

class WalkLearner {
 public:
  virtual ~WalkLearner() = default;
  // One walk from every node. Reads the record's epoch; fills its loss, learning rate and gradient norm.
  virtual void run_epoch(EpochRecord& record) = 0;
  // Everything restore() needs to continue bit for bit; restore() returns the epochs done. The model's weights are up
  // to date after run_epoch() and restore().
  virtual TensorFile state(int64_t epoch) const = 0;
  virtual int64_t restore(const TensorFile& state, const std::string& where) = 0;
};

// Trains the weights of `model`; data and model must outlive the learner.
std::unique_ptr<WalkLearner> make_walk_learner(const Dataset& data, const Recipe& recipe, Model& model);

}  // namespace geniepath::training
