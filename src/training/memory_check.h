// Whether a training fits the memory limit of the process (base/memory_limit.h).
#pragma once

#include <cstdint>

#include "geniepath/train.h"

namespace geniepath::training {

// Bytes that a step of mini-batches takes.
struct StepMemory {
  int64_t before = 0;  // in use without any step: the program and lists of all nodes
  int64_t batch = 0;   // of the step's data
  int64_t peak = 0;    // with its gradient
  int64_t nodes = 0;
};

// An Error, which names what to change, where the step and the batches made ahead of it do not fit.
void check_fits_memory(const StepMemory& step, const TrainConfig& config);

// An Error where dividing the graph into METIS clusters would not fit.
void check_clusters_fit_memory(const Graph& graph);

}  // namespace geniepath::training
