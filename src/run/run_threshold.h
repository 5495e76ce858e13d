// How a run decides and scores; its decision threshold, for binary and multi-label predictions.
#pragma once

#include <optional>

#include "geniepath/run.h"

namespace geniepath::run {

// The threshold in result.json; none if the run was never finished.
std::optional<double> run_threshold(const RunFolder& folder);

// The run's threshold; of a run that was never finished (`recorded` is none), chosen on `data`.
inline double threshold_on(const Dataset& data, const Model& model, const RunDescription& run,
                           std::optional<double> recorded) {
  if (recorded) return *recorded;
  return decision_threshold(model, data, chosen_protocol(run.train, data), chosen_metric(run.train, data));
}

inline ScoringRule run_scoring(const RunFolder& folder, const RunDescription& run, const Model& model,
                               const Dataset& data) {
  return {threshold_on(data, model, run, run_threshold(folder)), chosen_protocol(run.train, data),
          chosen_metric(run.train, data)};
}

}  // namespace geniepath::run
