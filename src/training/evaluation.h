// Scores of a model's predictions on some nodes.
#pragma once

#include "geniepath/train.h"
#include "training/batch.h"

namespace geniepath::training {

// The nodes that pick the best epoch and the threshold: those of validation or, where there are none, of training.
Batch judging_batch(const Dataset& data);

// The scores of a batch that may itself choose the threshold.
Scores score_batch(const Model& model, const Dataset& data, const Batch& batch, Protocol protocol, const std::string& metric,
                   Rankings rankings);

// Every epoch, rankings are worth their sorts only where one of them picks the best.
Rankings rankings_for(const std::string& metric);

}  // namespace geniepath::training
