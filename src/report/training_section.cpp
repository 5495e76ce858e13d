#include "report/training_section.h"

#include <algorithm>
#include <sstream>

#include "base/file.h"
#include "base/json_text.h"
#include "base/noun.h"
#include "geniepath/error.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "run/run_files.h"
#include "training/train_json.h"

namespace geniepath::report {
namespace {

using Json = nlohmann::ordered_json;

Json record_of(const std::string& line, const std::string& where) {
  auto epoch = parse_json<Json>(line, where);
  for (const char* number : {"epoch", "loss"}) epoch.at(number).get<double>();
  for (const auto& [_, score] : judging_scores(epoch).get_ref<const Json::object_t&>()) score_from_json(score);
  epoch.value("best", false);
  return epoch;
}

Series series_of(const Epochs& epochs, const std::string& score) {
  Series series{score, {}};
  for (const Json& epoch : epochs) {
    series.points.emplace_back(epoch.at("epoch").get<double>(),
                               score_from_json(judging_scores(epoch).value(score, Json())));
  }
  return series;
}

// The epoch of the kept weights; 0 if no epoch was scored.
double best_epoch(const Epochs& epochs) {
  double best = 0;
  for (const Json& epoch : epochs) {
    if (epoch.value("best", false)) best = epoch.at("epoch").get<double>();
  }
  return best;
}

void mark_best(const Epochs& epochs, LineChart& chart) {
  if (const double best = best_epoch(epochs); best > 0) chart.mark = {best, "kept: epoch " + fixed(best, 0)};
}

bool are_validated(const Epochs& epochs) { return std::ranges::all_of(epochs, is_validated); }

// The score that chose the kept weights, in words; empty if no epoch was scored.
std::string best_text(const Epochs& epochs, const std::string& metric) {
  const double best = best_epoch(epochs);
  if (best == 0) return "";
  const bool validated = are_validated(epochs);
  return "; the kept weights are those of epoch " + fixed(best, 0) + ", where " +
         (validated ? "validation " : "training ") + html(metric) + " was highest" +
         (validated ? "" : ", as there are no validation nodes");
}

}  // namespace

Epochs read_epochs(const RunFolder& folder) {
  const auto path = folder.file(run::kMetrics);
  Epochs epochs;
  if (!std::filesystem::exists(path)) return epochs;
  std::istringstream lines(read_text(path));
  lines.exceptions(std::ios::badbit);  // a lack of memory must not pass for the end of the file
  for (std::string line; std::getline(lines, line);) {
    const std::string where = path.string() + ": line " + std::to_string(epochs.size() + 1);
    try {
      epochs.push_back(record_of(line, where));
    } catch (const nlohmann::json::exception& error) {
      fail(where, " is not a record of an epoch: ", json_reason(error));
    }
  }
  return epochs;
}

LineChart loss_chart(const Epochs& epochs) {
  LineChart chart{"Loss", "epoch", "training loss", {{"loss", {}}}, {}, {}, false, true};
  for (const Json& epoch : epochs) {
    chart.series[0].points.emplace_back(epoch.at("epoch").get<double>(), epoch.at("loss").get<double>());
  }
  mark_best(epochs, chart);
  return chart;
}

LineChart validation_chart(const Epochs& epochs, const std::string& metric) {
  const char* title = are_validated(epochs) ? "Validation" : "Scores of the training nodes";
  LineChart chart{title, "epoch", "score", {}, {}, Range{0, 1}, false, true};
  std::vector<std::string> names{metric};
  for (const char* other : {"accuracy", "roc_auc", "average_precision"}) {
    if (metric != other) names.push_back(other);
  }
  for (const std::string& name : names) {
    const auto has_score = [&](const Json& epoch) { return judging_scores(epoch).contains(name); };
    if (std::any_of(epochs.begin(), epochs.end(), has_score)) chart.series.push_back(series_of(epochs, name));
  }
  mark_best(epochs, chart);
  return chart;
}

std::string training_section(const Epochs& epochs, const std::string& metric) {
  if (epochs.empty()) return "<p>No epochs were recorded.</p>\n";
  const LineChart validation = validation_chart(epochs, metric);
  return "<p>" + counted(epochs.size(), "epoch") + best_text(epochs, metric) + ".</p>\n<div class='charts'>" +
         svg(loss_chart(epochs)) + (validation.series.empty() ? "" : svg(validation)) + "</div>\n";
}

}  // namespace geniepath::report
