#include "report/score_sections.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "base/text_stream.h"
#include "geniepath/metrics.h"
#include "report/curves.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "report/plot.h"
#include "training/batch.h"

namespace geniepath::report {
namespace {

constexpr size_t kMostCurves = 5, kMostPoints = 200;

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

std::string summary_table(const Scores& scores) {
  std::string heading, row;
  for (const std::string& name : Scores::names()) {
    heading += "<th scope='col'>" + html(name) + "</th>";
    row += "<td>" + fixed(scores.by_name(name), 4) + "</td>";
  }
  return "<div class='table'><table><thead><tr>" + heading + "</tr></thead><tbody><tr>" + row + "</tr></tbody></table></div>\n";
}

std::string class_table(const Scores& scores, int64_t nodes) {
  TextStream out;
  out << "<div class='table'><table><caption>By class</caption><thead><tr><th scope='col'>class</th>";
  for (const char* name : {"nodes", "precision", "recall", "F1", "ROC-AUC", "average precision"}) {
    out << "<th scope='col'>" << name << "</th>";
  }
  out << "</tr></thead><tbody>\n";
  for (const ClassScores& c : scores.classes) {
    out << "<tr><th scope='row'>" << html(c.name) << "</th><td>" << grouped(static_cast<double>(c.positives)) << "</td>";
    for (const double value : {c.precision, c.recall, c.f1}) out << "<td>" << fixed(value, 4) << "</td>";
    const bool ranked = c.positives > 0 && c.positives < nodes;  // otherwise there is nothing to rank
    for (const double value : {c.roc_auc, c.average_precision}) out << "<td>" << (ranked ? fixed(value, 4) : "–") << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n";
  if (scores.classes.size() <= 12) return out.str();
  return "<details><summary>Scores of all " + std::to_string(scores.classes.size()) + " classes</summary>\n" + out.str() + "</details>\n";
}

}  // namespace

std::string score_section(const Dataset& data, const at::Tensor& probabilities, double threshold,
                          const std::vector<std::string>& class_names) {
  if (data.test.empty()) return "<p>The data has no test nodes.</p>\n";
  const at::Tensor p = probabilities.index_select(0, at::tensor(data.test, at::kLong)).contiguous();
  const at::Tensor labels = training::labels_of(data, data.test).contiguous();
  const Scores scores = score_predictions(data.task, p, labels, threshold, class_names);
  return summary_table(scores) + curves(rankings(data, p, labels, scores)) + class_table(scores, p.size(0));
}

}  // namespace geniepath::report
