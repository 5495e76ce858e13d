// How a finished run decides and scores; its decision threshold, for binary and multi-label predictions.
#pragma once

#include <optional>

#include "geniepath/run.h"

namespace geniepath::run {

// The threshold in result.json; none if the run was never finished.
std::optional<double> run_threshold(const RunFolder& folder);

// The same, or 0.5.
inline double run_threshold_or_half(const RunFolder& folder) { return run_threshold(folder).value_or(0.5); }

inline ScoringRule run_scoring(const RunFolder& folder, const RunDescription& run, const Dataset& data) {
  return {run_threshold_or_half(folder), chosen_protocol(run.train, data), chosen_metric(run.train, data)};
}

}  // namespace geniepath::run
