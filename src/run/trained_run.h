// Training of a run whose folder is created and whose data is prepared.
#pragma once

#include "geniepath/run.h"
#include "training/share.h"

namespace geniepath {

// Trains into the folder from the start or, with `resume`, from the folder's last checkpoint, if any, to the bits of an
// uninterrupted run on the same kind of device. Test nodes are scored once, at the end, with the best weights.
// With several processes, only the first writes, and all of them stop when the hooks of one request it.
TrainResult train(const training::Share& share, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume = false, at::Device device = at::kCPU);
TrainResult train(const Dataset& data, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume = false, at::Device device = at::kCPU);

}  // namespace geniepath
