// Successive halving (Jamieson and Talwalkar 2016): all trials are trained a little, the best of them go on for longer,
// until few are trained to the end. Every result is a line of a file, so that a search goes on where it was stopped.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace geniepath::tune {

struct Rung {
  int64_t epochs = 0;  // to which its trials are trained
  int64_t trials = 0;  // how many reach it
};

// The last rung trains to `epochs`; each before it has one `keep_one_in`-th of the epochs, rounded up, while those are
// `least_epochs` or more, and `keep_one_in` times the trials.
std::vector<Rung> plan_rungs(int64_t trials, int64_t epochs, int64_t least_epochs, int64_t keep_one_in);

struct TrialResult {
  int64_t trial = 0, rung = 0, epochs = 0;  // epochs: done, fewer than the rung's where training stopped by itself
  double score = 0;                         // of validation, the best so far; -1 where it failed
  std::string error;                        // why it failed

  nlohmann::ordered_json to_json() const;
  static TrialResult from_json(const nlohmann::json& object, const std::string& where);
};

// Trains `trial` to the rung's epochs, going on from where it was, and scores it; nothing where it was told to stop.
using RunTrial = std::function<std::optional<TrialResult>(int64_t trial, int64_t rung, int64_t epochs)>;

struct HalvingHooks {
  std::function<void(const TrialResult&, nlohmann::ordered_json& line)> describe;  // adds to a line of the file
  std::function<void(const TrialResult&, const std::vector<Rung>&)> on_result;
};

// Lines that are in `file` already are taken from there, except those of a last rung in which every trial failed: it is
// tried again. The best trial of the last rung (the first of equals), or nothing where it was stopped before.
std::optional<TrialResult> run_halving(const std::vector<Rung>& rungs, const std::filesystem::path& file,
                                       const RunTrial& run, const HalvingHooks& hooks = {});

}  // namespace geniepath::tune
