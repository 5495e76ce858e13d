// The training of a run whose folder is made and whose data is prepared.
#pragma once

#include "geniepath/run.h"

namespace geniepath {

// Trains into the folder: from the start, or, where `resume`, from the last checkpoint the folder holds, if any,
// to the same bits an uninterrupted run gives on the same kind of device. Test nodes are scored once, at the end, with the best weights.
TrainResult train(const Dataset& data, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume = false, at::Device device = at::kCPU);

}  // namespace geniepath
