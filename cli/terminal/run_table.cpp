#include "terminal/run_table.h"

#include <algorithm>
#include <cmath>

#include "base/checksum.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/statistics.h"
#include "geniepath/error.h"
#include "geniepath/metrics.h"
#include "geniepath/run.h"
#include "run/run_files.h"
#include "run/weights_file.h"
#include "terminal/text.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

std::vector<double> scores_of(const std::vector<NamedResult>& runs, const std::string& metric) {
  std::vector<double> scores;
  for (const NamedResult& run : runs) scores.push_back(score_from_json(run.result.at("test").at(metric)));
  return scores;
}

std::vector<std::string> mean_row(const std::vector<NamedResult>& runs) {
  std::vector<std::string> row{"mean"};
  for (const std::string& metric : Scores::names()) row.push_back(mean_text(scores_of(runs, metric)));
  return row;
}

// Empty unless every run has this score of the baseline.
std::vector<double> baseline_scores(const std::vector<NamedResult>& runs, const char* name, const std::string& metric) {
  std::vector<double> scores;
  for (const NamedResult& run : runs) {
    const Json found = run.result.value("baselines", Json::object()).value(name, Json::object());
    if (!found.contains(metric)) return {};
    scores.push_back(score_from_json(found.at(metric)));
  }
  return scores;
}

// Adds nothing unless every run has this baseline. A baseline may lack some of the scores.
void add_baseline(const std::vector<NamedResult>& runs, const char* name, Rows& rows) {
  std::vector<std::string> row{name};
  for (const std::string& metric : Scores::names()) {
    const std::vector<double> scores = baseline_scores(runs, name, metric);
    row.push_back(scores.empty() ? "" : mean_text(scores));
  }
  if (std::ranges::any_of(row.begin() + 1, row.end(), [](const std::string& cell) { return !cell.empty(); }))
    rows.push_back(row);
}

}  // namespace

std::string mean_text(std::span<const double> values) {
  const std::string mean = fixed(mean_of(values), 4);
  return values.size() < 2 || std::isnan(mean_of(values)) ? mean : mean + " ± " + fixed(deviation_of(values), 4);
}

Json read_result(const std::string& folder) {
  const auto path = RunFolder(folder).file(run::kResult);
  if (!std::filesystem::exists(path)) fail(folder, ": no finished run here (expected ", path.string(), ")");
  Json result = parse_sealed_json(read_text(path), path.string());
  if (!run::are_of_weights(result, RunFolder(folder).file(run::kBest))) {
    fail(path.string(), ": tells of other weights than ", run::kBest,
         " holds: they were replaced; remove it to leave this run "
         "out of tables (geniepath evaluate scores the new weights)");
  }
  return result;
}

std::string repeated_table(const std::vector<NamedResult>& runs) {
  Rows rows{{"run"}};
  for (const std::string& metric : Scores::names()) rows[0].push_back(metric);
  rows[0].insert(rows[0].end(), {"best epoch", "seconds"});
  for (const NamedResult& run : runs) {
    rows.push_back({run.name});
    for (const std::string& metric : Scores::names())
      rows.back().push_back(fixed(score_from_json(run.result.at("test").at(metric)), 4));
    rows.back().push_back(std::to_string(whole_number(run.result.at("best_epoch"), run.name + ": best_epoch")));
    rows.back().push_back(fixed(run.result.at("seconds"), 1));
  }
  rows.push_back(mean_row(runs));
  for (const char* baseline : {"mlp", "majority"}) add_baseline(runs, baseline, rows);
  return table(rows);
}

std::vector<std::string> unbeaten(const std::vector<NamedResult>& runs) {
  std::vector<std::string> sentences;
  const std::string metric = runs.front().result.at("metric");
  const double own = mean_of(scores_of(runs, metric));
  for (const auto& [name, text] :
       {std::pair{"majority", "the majority class"}, std::pair{"mlp", "an MLP on the same features"}}) {
    const std::vector<double> scores = baseline_scores(runs, name, metric);
    if (scores.empty() || !(own <= mean_of(scores))) continue;  // also if undefined
    sentences.push_back(std::string("the runs do not beat ") + text + ": mean test " + metric + " " + fixed(own, 4) +
                        " against " + fixed(mean_of(scores), 4));
  }
  return sentences;
}

Json repeated_json(const std::vector<NamedResult>& runs) {
  Json object{{"runs", Json::array()}, {"metric", runs.front().result.at("metric")}};
  for (const NamedResult& run : runs) {
    Json one{{"run", run.name}};
    one.update(run.result);
    object["runs"].push_back(std::move(one));
  }
  for (const std::string& metric : Scores::names()) {
    const std::vector<double> scores = scores_of(runs, metric);
    object["mean"][metric] = mean_of(scores);
    object["deviation"][metric] = deviation_of(scores);
  }
  return object;
}

}  // namespace geniepath::cli
