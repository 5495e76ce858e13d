// Scores of a model's predictions on some nodes.
#pragma once

#include "geniepath/train.h"
#include "training/batch.h"

namespace geniepath::training {

// The nodes that select the best epoch and the threshold: validation nodes or, without any, training nodes.
Batch judging_batch(const Dataset& data);

// Scores of a batch; Protocol::kTuned chooses the threshold on the batch itself.
Scores score_batch(const Model& model, const Dataset& data, const Batch& batch, Protocol protocol, const std::string& metric,
                   Rankings rankings);

// Rankings needed every epoch: their sorts are worth it only if a ranking score selects the best epoch.
Rankings rankings_for(const std::string& metric);

}  // namespace geniepath::training
