#include "commands/tune_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "report/plot.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using tune::Setting;

// A number in few digits, anything else as it is.
std::string value_text(const Setting& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", value.get<double>());
  return digits;
}

std::string score_text(const tune::TrialResult& result) { return result.score < 0 ? "failed" : fixed(result.score, 4); }

// The best score of each value.
report::BarChart bars_of(const std::vector<Trial>& trials, const std::string& option, const std::string& metric) {
  std::map<std::string, double> best;
  for (const auto& [result, options] : trials) {
    if (result.score < 0) continue;
    double& score = best.try_emplace(value_text(options.at(option)), 0).first->second;
    score = std::max(score, result.score);
  }
  report::BarChart chart;
  chart.title = option, chart.y_label = "best " + metric;
  chart.series.push_back({.name = "best trial", .values = {}});
  for (const auto& [name, score] : best) chart.names.push_back(name), chart.series[0].values.push_back(score);
  return chart;
}

// One dot per trial, by the rung it reached. Gaps keep dots from being joined by lines.
report::LineChart dots_of(const std::vector<Trial>& trials, const std::string& option, const std::string& metric) {
  double low = std::numeric_limits<double>::max(), high = 0;
  for (const auto& [_, options] : trials) {
    low = std::min(low, options.at(option).get<double>()), high = std::max(high, options.at(option).get<double>());
  }
  const bool log = low > 0 && high / low > 20;
  report::LineChart chart;
  chart.title = option, chart.x_label = log ? "log10 " + option : option, chart.y_label = metric;
  chart.marks = true;
  std::map<int64_t, report::Series> rungs;
  for (const auto& [result, options] : trials) {
    if (result.score < 0) continue;
    const double value = options.at(option);
    auto& [name, points, reference, spread] = rungs[result.rung];
    name = "rung " + std::to_string(result.rung + 1);
    points.emplace_back(log ? std::log10(value) : value, result.score);
    points.emplace_back(points.back().first, std::numeric_limits<double>::quiet_NaN());
  }
  for (auto& [_, series] : rungs) chart.series.push_back(std::move(series));
  return chart;
}

}  // namespace

std::string trial_table(std::vector<Trial> trials, const std::string& score, size_t most) {
  std::ranges::stable_sort(trials, [](const Trial& a, const Trial& b) {
    return std::pair(a.result.rung, a.result.score) > std::pair(b.result.rung, b.result.score);
  });
  if (trials.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"trial", "epochs", score}};
  for (const auto& [option, _] : trials.front().options.items()) rows[0].push_back(option);
  for (size_t n = 0; n < std::min(most, trials.size()); ++n) {
    const auto& [result, options] = trials[n];
    rows.push_back({std::to_string(result.trial), std::to_string(result.epochs), score_text(result)});
    for (const auto& [_, value] : options.items()) rows.back().push_back(value_text(value));
  }
  const std::string more =
      trials.size() > most ? "(" + std::to_string(trials.size() - most) + " more in trials.jsonl)\n" : "";
  return table(rows) + more;
}

std::string trials_svg(const std::vector<Trial>& trials, const std::string& metric) {
  std::vector<report::Chart> panels;
  for (const auto& [option, value] : trials.front().options.items()) {
    if (value.is_number()) {
      panels.emplace_back(dots_of(trials, option, metric));
    } else {
      panels.emplace_back(bars_of(trials, option, metric));
    }
  }
  return report::svg(panels);
}

}  // namespace geniepath::cli
