// Baselines for the result of a run on a user's own tables: the majority class, and an MLP, which sees the same
// features and split but no edges.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "geniepath/run.h"

namespace geniepath::run {

struct Baselines {
  Scores majority;            // test scores of the commonest class or labels of the training nodes
  std::optional<Scores> mlp;  // test scores; none where the run is an MLP itself, or has no features but node ids
  double seconds = 0;         // spent on the MLP
  std::string only_class;     // predicted by the run for every test node; empty: it predicts several
  bool beaten = true;         // whether the run's test score is above all of these
};

// Trains the MLP with the run's options. None for other data than tables, if the option baselines is off, without test
// nodes, and if interrupted.
std::optional<Baselines> measure_baselines(const RunDescription& run, const Dataset& data, const TrainResult& result,
                                           const TrainHooks& hooks, at::Device device);

nlohmann::ordered_json to_json(const Baselines& baselines);

// The baselines in a finished run's result, as to_json() wrote them; none if they were not measured.
std::optional<nlohmann::ordered_json> recorded_baselines(const RunFolder& folder);

}  // namespace geniepath::run
