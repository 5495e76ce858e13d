// Test scores of finished runs as tables for the terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "geniepath/error.h"

namespace geniepath::cli {

// "0.9123 ± 0.0041"; the mean alone of fewer than two.
std::string mean_text(std::span<const double> values);

// The result.json of a finished run. A missing file, or one that tells of other weights than the run's, is an Error.
nlohmann::ordered_json read_result(const std::string& folder);

// Calls make(); a value that is missing or has the wrong type becomes an Error that names the file of the run.
template <class Make>
auto from_file(const std::string& folder, const char* file, Make make) {
  try {
    return make();
  } catch (const nlohmann::json::exception& error) {
    fail(folder, "/", file, ": ", json_reason(error));
  }
}

struct NamedResult {
  std::string name;
  nlohmann::ordered_json result;  // as in result.json
};

// One row per run with all its test scores, one of their means and, where the runs have them, those of the baselines.
std::string repeated_table(const std::vector<NamedResult>& runs);

// One sentence per baseline that the runs' mean is not above.
std::vector<std::string> unbeaten(const std::vector<NamedResult>& runs);

// The runs, and mean and deviation of each score: {"runs", "metric", "mean", "deviation"}.
nlohmann::ordered_json repeated_json(const std::vector<NamedResult>& runs);

}  // namespace geniepath::cli
