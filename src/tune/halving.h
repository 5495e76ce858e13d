// Successive halving (Jamieson and Talwalkar 2016): all trials are trained briefly, the best of them longer, until a
// few are trained to the end. Every result is a line in a file, from which a stopped search continues.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace geniepath::tune {

struct Rung {
  int64_t epochs = 0;  // total epochs of its trials
  int64_t trials = 0;  // number of trials that reach it
};

// The last rung trains to `epochs`. Each rung before has 1/keep_one_in of the next one's epochs, rounded up, as long as
// that is `least_epochs` or more. The first rung has all trials, each later one 1/keep_one_in of the last one's,
// rounded up.
std::vector<Rung> plan_rungs(int64_t trials, int64_t epochs, int64_t least_epochs, int64_t keep_one_in);

struct TrialResult {
  int64_t trial = 0, rung = 0, epochs = 0;  // epochs done: fewer than the rung's if training stopped early
  double score = 0;                         // best validation score so far; -1 if the trial failed
  std::string error;                        // reason for the failure

  nlohmann::ordered_json to_json() const;
  static TrialResult from_json(const nlohmann::json& object, const std::string& where);
};

// Trains `trial` from its last checkpoint to the rung's epochs and scores it; none if the search is being stopped.
using RunTrial = std::function<std::optional<TrialResult>(int64_t trial, int64_t rung, int64_t epochs)>;

struct HalvingHooks {
  std::function<void(const TrialResult&, nlohmann::ordered_json& line)> describe;  // adds fields to a line of the file
  std::function<void(const TrialResult&, const std::vector<Rung>&)> on_result;
};

// Returns the best trial of the last rung (the first of equals), or none if the search was stopped before. Results
// already in `file` are used, except those of a last rung in which every trial failed: it is retried.
std::optional<TrialResult> run_halving(const std::vector<Rung>& rungs, const std::filesystem::path& file,
                                       const RunTrial& run, const HalvingHooks& hooks = {});

}  // namespace geniepath::tune
