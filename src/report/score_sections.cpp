#include "report/score_sections.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "base/text_stream.h"
#include "geniepath/metrics.h"
#include "report/curves.h"
#include "report/decisions.h"
#include "report/escape.h"
#include "report/node_facts.h"
#include "report/numbers.h"
#include "report/path_quality_text.h"
#include "report/plot.h"
#include "training/batch.h"

namespace geniepath::report {
namespace {

constexpr size_t kMostCurves = 5, kMostPoints = 200;
constexpr size_t kMostConfused = 20;  // classes in a table of confusions
constexpr int kBins = 10;
constexpr double kMissedCosts[] = {1, 5, 20, 100};  // of a missed positive, where a false alarm costs 1

struct NamedRanking {
  std::string name;
  Ranking ranking;
};

// The scores of class c and the nodes that have it. In binary tasks the positive class is 1.
Ranking ranking_of(Task task, const at::Tensor& probabilities, const at::Tensor& labels, int64_t c) {
  const int64_t columns = probabilities.size(1);
  const auto* p = probabilities.data_ptr<float>();
  Ranking ranking;
  for (int64_t n = 0; n < probabilities.size(0); ++n) {
    ranking.score.push_back(p[n * columns + (task == Task::kBinary ? 0 : c)]);
    ranking.positive.push_back(task == Task::kMultiLabel ? labels.data_ptr<float>()[n * columns + c] > 0.5f
                                                         : labels.data_ptr<int64_t>()[n] == c);
  }
  return ranking;
}

// The positive class; or all decisions together, and the most frequent classes.
std::vector<NamedRanking> rankings(const Dataset& data, const at::Tensor& probabilities, const at::Tensor& labels,
                                   const Scores& scores) {
  if (data.task == Task::kBinary) return {{scores.classes[1].name, ranking_of(data.task, probabilities, labels, 1)}};
  std::vector<size_t> order(scores.classes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scores.classes[a].positives > scores.classes[b].positives; });
  std::vector<NamedRanking> out{{"all classes together", {}}};
  for (size_t n = 0; n < order.size(); ++n) {
    Ranking one = ranking_of(data.task, probabilities, labels, static_cast<int64_t>(order[n]));
    Ranking& all = out[0].ranking;
    all.score.insert(all.score.end(), one.score.begin(), one.score.end());
    all.positive.insert(all.positive.end(), one.positive.begin(), one.positive.end());
    if (n < kMostCurves) out.push_back({scores.classes[order[n]].name, std::move(one)});
  }
  return out;
}

// A class that no node or every node has leaves nothing to draw.
void add_curve(LineChart& chart, const std::string& name, const Points& points) {
  if (!points.empty()) chart.series.push_back({name, thinned(points, kMostPoints)});
}

std::string curves(const std::vector<NamedRanking>& all) {
  const Range unit{0, 1};
  LineChart precision{"Precision and recall", "recall", "precision", {}, unit, unit};
  LineChart roc{"ROC", "false positive rate", "true positive rate", {}, unit, unit};
  LineChart calibration{"Calibration", "predicted probability", "share that has the class", {}, unit, unit, true};
  for (const auto& [name, ranking] : all) {
    add_curve(precision, name, precision_recall_curve(ranking));
    add_curve(roc, name, roc_curve(ranking));
    add_curve(calibration, name, calibration_curve(ranking));
  }
  roc.series.push_back({"chance", {{0, 0}, {1, 1}}, true});
  calibration.series.push_back({"well calibrated", {{0, 0}, {1, 1}}, true});
  return "<div class='charts'>" + svg(precision) + svg(roc) + svg(calibration) + "</div>\n";
}

std::string gain_charts(const std::vector<NamedRanking>& all) {
  const Range unit{0, 1};
  LineChart gain{"Gain", "share of nodes looked at, highest scores first", "share of the class found", {}, unit, unit};
  LineChart lift{"Lift", "share of nodes looked at, highest scores first", "times as many as at random", {}, unit, {}};
  for (const auto& [name, ranking] : all) {
    add_curve(gain, name, gain_curve(ranking));
    add_curve(lift, name, lift_curve(ranking));
  }
  gain.series.push_back({"at random", {{0, 0}, {1, 1}}, true});
  lift.series.push_back({"at random", {{0, 1}, {1, 1}}, true});
  return "<div class='charts'>" + svg(gain) + svg(lift) + "</div>\n";
}

// "0.1 to 0.2"
std::string bin_name(int bin) {
  return fixed(static_cast<double>(bin) / kBins, 1) + " to " + fixed((bin + 1.0) / kBins, 1);
}

std::string score_histogram(const NamedRanking& one) {
  BarChart chart{"Scores", "score", "nodes", {}, {{one.name, {}}, {"others", {}, true}}, {}};
  for (const ScoreBin& bin : score_bins(one.ranking, kBins)) {
    chart.names.push_back(fixed(static_cast<double>(chart.names.size()) / kBins, 1));
    chart.series[0].values.push_back(bin.positives);
    chart.series[1].values.push_back(bin.nodes - bin.positives);
  }
  return svg(chart);
}

std::string calibration_table(const NamedRanking& one) {
  Rows rows{{"score", "nodes", one.name, "share"}};
  const std::vector<ScoreBin> bins = score_bins(one.ranking, kBins);
  for (int b = 0; b < kBins; ++b) {
    const ScoreBin& bin = bins[static_cast<size_t>(b)];
    rows.push_back({bin_name(b), grouped(bin.nodes), grouped(bin.positives),
                    bin.nodes > 0 ? fixed(bin.positives / bin.nodes, 3) : "–"});
  }
  return table_html("Counts in the bins of the calibration", rows);
}

std::string cost_name(double missed) { return "missed costs " + grouped(missed); }

// The cost by threshold, and where it is lowest. Scores above the threshold are alarms.
std::string cost_part(const Ranking& ranking, double threshold) {
  LineChart chart{"Cost by threshold", "threshold", "cost per node", {}, Range{0, 1}, {}};
  chart.mark = {threshold, "in use: " + fixed(threshold, 2)};
  Rows rows{{"a missed one costs", "lowest cost per 1,000 nodes", "at scores from", "in use"}};
  for (const double missed : kMissedCosts) {
    const Points points = cost_curve(ranking, missed);
    const auto cost_of = [](const auto& point) { return point.second; };
    const auto best = std::ranges::min_element(points, {}, cost_of);
    const auto used = std::ranges::find_if(points.rbegin(), points.rend(),
                                           [&](const auto& point) { return point.first > threshold; });
    chart.series.push_back({cost_name(missed), thinned(points, kMostPoints)});
    rows.push_back({grouped(missed) + (missed == 1 ? " false alarm" : " false alarms"), fixed(1000 * best->second, 1),
                    fixed(best->first, 3), fixed(1000 * (used == points.rend() ? points.front() : *used).second, 1)});
  }
  return "<div class='charts'>" + svg(chart) + "</div>\n" +
         table_html("Cheapest thresholds on the test nodes, to compare, not to choose by", rows);
}

// Rows: labels; columns: predictions. Empty for tasks with many labels per node, or too many classes.
std::string confusion_table(Task task, const at::Tensor& probabilities, const at::Tensor& labels,
                            const Decisions& decisions) {
  const std::vector<std::string>& classes = decisions.classes();
  if (task == Task::kMultiLabel || classes.size() > kMostConfused) return "";
  std::vector<std::vector<int64_t>> count(classes.size(), std::vector<int64_t>(classes.size()));
  const auto width = static_cast<size_t>(probabilities.size(1));
  for (int64_t n = 0; n < probabilities.size(0); ++n) {
    const std::span<const float> row{probabilities.data_ptr<float>() + static_cast<size_t>(n) * width, width};
    const std::string predicted = decisions.predicted(decisions.scores(row)).front();
    const auto column = static_cast<size_t>(std::ranges::find(classes, predicted) - classes.begin());
    ++count[static_cast<size_t>(labels.data_ptr<int64_t>()[n])][column];
  }
  Rows rows{{"labelled"}};
  for (const std::string& name : classes) rows[0].push_back("predicted " + name);
  for (size_t c = 0; c < classes.size(); ++c) {
    rows.push_back({classes[c]});
    for (const int64_t cell : count[c]) rows.back().push_back(grouped(cell));
  }
  return table_html("Confusion matrix", rows);
}

std::string summary_table(const Scores& scores) {
  std::string heading, row;
  for (const std::string& name : Scores::names()) {
    heading += "<th scope='col'>" + html(name) + "</th>";
    row += "<td>" + fixed(scores.by_name(name), 4) + "</td>";
  }
  return "<div class='table'><table><thead><tr>" + heading + "</tr></thead><tbody><tr>" + row +
         "</tr></tbody></table></div>\n";
}

std::string class_table(const Scores& scores) {
  TextStream out;
  out << "<div class='table'><table class='numbers'><caption>By class</caption><thead><tr><th scope='col'>class</th>";
  for (const char* name : {"nodes", "precision", "recall", "F1", "ROC-AUC", "average precision"}) {
    out << "<th scope='col'>" << name << "</th>";
  }
  out << "</tr></thead><tbody>\n";
  for (const ClassScores& c : scores.classes) {
    out << "<tr><th scope='row'>" << html(c.name) << "</th><td>" << grouped(static_cast<double>(c.positives))
        << "</td>";
    for (const double value : {c.precision, c.recall, c.f1, c.roc_auc, c.average_precision}) {
      out << "<td>" << fixed(value, 4) << "</td>";
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
  if (scores.classes.size() <= 12) return out.str();
  return "<details><summary>Scores of all " + std::to_string(scores.classes.size()) + " classes</summary>\n" +
         out.str() + "</details>\n";
}

}  // namespace

std::string score_section(const Dataset& data, const at::Tensor& probabilities, double threshold,
                          const std::vector<std::string>& class_names) {
  if (data.test.empty()) return "<p>The data has no test nodes.</p>\n";
  const at::Tensor p = probabilities.index_select(0, at::tensor(data.test, at::kLong)).contiguous();
  const at::Tensor labels = training::labels_of(data, data.test).contiguous();
  const Scores scores = score_predictions(data.task, p, labels, threshold, class_names);
  const std::vector<NamedRanking> all = rankings(data, p, labels, scores);
  const Decisions decisions(data.task, report::class_names(data.num_classes, class_names), threshold);
  return summary_table(scores) + confusion_table(data.task, p, labels, decisions) + curves(all) + gain_charts(all) +
         "<div class='charts'>" + score_histogram(all.front()) + "</div>\n" + calibration_table(all.front()) +
         (data.task == Task::kBinary ? cost_part(all.front().ranking, threshold) : "") + class_table(scores);
}

}  // namespace geniepath::report
