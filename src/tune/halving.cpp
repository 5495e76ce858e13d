#include "tune/halving.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/file.h"
#include "base/json_text.h"
#include "base/line_file.h"
#include "geniepath/error.h"

namespace geniepath::tune {
namespace {

using Key = std::pair<int64_t, int64_t>;  // rung, trial

// Reads the complete lines of the file. A last line truncated during writing is dropped, also from the file.
std::map<Key, TrialResult> read_lines(const std::filesystem::path& file, const std::vector<Rung>& rungs) {
  std::map<Key, TrialResult> results;
  if (!std::filesystem::exists(file)) return results;
  const std::string text = read_text(file);
  const size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  size_t number = 0;
  for (size_t begin = 0; begin < whole;) {
    const size_t end = text.find('\n', begin);
    const std::string where = file.string() + ":" + std::to_string(++number);
    const auto line = parse_json<nlohmann::json>(std::string_view(text).substr(begin, end - begin), where);
    const auto result = TrialResult::from_json(line, where);
    const bool is_planned = result.rung >= 0 && result.rung < std::ssize(rungs) && result.trial >= 0 &&
                            result.trial < rungs.front().trials && std::abs(result.score) <= 1;
    const auto known = results.find({result.rung, result.trial});
    const bool is_known = known != results.end() && known->second.score >= 0;  // one that failed may be tried again
    if (!is_planned || is_known) {
      fail(where, ": rung ", result.rung, " of trial ", result.trial, " with a score of ", result.score,
           is_planned ? " is there twice" : " is not one of this search");
    }
    results[{result.rung, result.trial}] = result;
    begin = end + 1;
  }
  if (whole < text.size()) write_atomically(file, [&](std::ostream& out) { out << text.substr(0, whole); });
  return results;
}

// Drops the results of the last rung if all its trials failed, perhaps for lack of memory, so that it is retried.
void forget_failed_end(std::map<Key, TrialResult>& results, int64_t last_rung) {
  const auto is_of_it = [&](const auto& entry) { return entry.first.first == last_rung; };
  const auto succeeded = [&](const auto& entry) { return is_of_it(entry) && entry.second.score >= 0; };
  if (std::none_of(results.begin(), results.end(), succeeded)) std::erase_if(results, is_of_it);
}

void sort_best_first(std::vector<TrialResult>& results) {
  std::stable_sort(results.begin(), results.end(),
                   [](const TrialResult& a, const TrialResult& b) { return a.score > b.score; });
}

}  // namespace

std::vector<Rung> plan_rungs(int64_t trials, int64_t epochs, int64_t least_epochs, int64_t keep_one_in) {
  std::vector<Rung> rungs{{epochs, 0}};
  for (;;) {
    const int64_t fewer = (rungs.back().epochs + keep_one_in - 1) / keep_one_in;
    if (fewer < least_epochs || fewer == rungs.back().epochs) break;
    rungs.push_back({fewer, 0});
  }
  std::reverse(rungs.begin(), rungs.end());
  for (Rung& rung : rungs) {
    rung.trials = trials;
    trials = (trials + keep_one_in - 1) / keep_one_in;
  }
  return rungs;
}

nlohmann::ordered_json TrialResult::to_json() const {
  nlohmann::ordered_json line = {{"trial", trial}, {"rung", rung}, {"epochs", epochs}, {"score", score}};
  if (!error.empty()) line["error"] = error;
  return line;
}

TrialResult TrialResult::from_json(const nlohmann::json& object, const std::string& where) {
  try {
    return {object.at("trial"), object.at("rung"), object.at("epochs"), object.at("score"), object.value("error", "")};
  } catch (const nlohmann::json::exception& problem) {
    fail(where, ": ", problem.what());
  }
}

std::optional<TrialResult> run_halving(const std::vector<Rung>& rungs, const std::filesystem::path& file,
                                       const RunTrial& run, const HalvingHooks& hooks) {
  std::map<Key, TrialResult> known = read_lines(file, rungs);
  forget_failed_end(known, std::ssize(rungs) - 1);
  LineFile lines(file);
  std::vector<int64_t> trials(static_cast<size_t>(rungs.front().trials));
  std::iota(trials.begin(), trials.end(), int64_t{0});
  std::vector<TrialResult> results;
  for (size_t r = 0; r < rungs.size(); ++r) {
    const auto number = static_cast<int64_t>(r);
    results.clear();
    for (const int64_t trial : trials) {
      const auto found = known.find({number, trial});
      const auto result = found != known.end() ? std::optional(found->second) : run(trial, number, rungs[r].epochs);
      if (!result) return std::nullopt;
      if (found == known.end()) {
        nlohmann::ordered_json line = result->to_json();
        if (hooks.describe) hooks.describe(*result, line);
        lines.add(line.dump());
        lines.flush();
      }
      if (hooks.on_result) hooks.on_result(*result, rungs);
      results.push_back(*result);
    }
    sort_best_first(results);
    if (r + 1 == rungs.size()) break;
    trials.clear();
    for (int64_t t = 0; t < rungs[r + 1].trials; ++t) trials.push_back(results[static_cast<size_t>(t)].trial);
    std::sort(trials.begin(), trials.end());
  }
  return results.front();
}

}  // namespace geniepath::tune
