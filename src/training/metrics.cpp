#include "geniepath/metrics.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/registry.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

struct BuiltInMetric {
  const char* name;
  double Scores::*score;
};
constexpr BuiltInMetric kBuiltInMetrics[] = {
    {"accuracy", &Scores::accuracy}, {"f1", &Scores::f1},           {"micro_f1", &Scores::micro_f1},
    {"macro_f1", &Scores::macro_f1}, {"roc_auc", &Scores::roc_auc}, {"average_precision", &Scores::average_precision},
};

Registry<Metric>& own_metrics() {
  static Registry<Metric> metrics("metric", {});
  return metrics;
}

std::map<std::string, double> own_scores(Task task, const at::Tensor& probabilities, const at::Tensor& labels) {
  std::map<std::string, double> scores;
  if (labels.size(0) == 0) return scores;
  for (const auto& [name, metric] : own_metrics().entries()) {
    scores[name] = metric(task, probabilities, labels);
    if (std::isnan(scores[name])) fail("metric: '", name, "' returned NaN");
  }
  return scores;
}

struct Counts {
  int64_t true_positives = 0, false_positives = 0, false_negatives = 0;

  void add(const Counts& other) {
    true_positives += other.true_positives;
    false_positives += other.false_positives;
    false_negatives += other.false_negatives;
  }
  double precision() const { return ratio(true_positives, true_positives + false_positives); }
  double recall() const { return ratio(true_positives, true_positives + false_negatives); }
  double f1() const { return ratio(2 * true_positives, 2 * true_positives + false_positives + false_negatives); }

  static double ratio(int64_t part, int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

void check_finite(const at::Tensor& probabilities, const char* metric) {
  if (!probabilities.isfinite().all().item<bool>()) fail(metric, ": a probability is NaN or infinite");
}

// Order of descending scores. NaN is an Error, since sorting needs comparable values.
std::vector<size_t> by_descending(const std::vector<double>& score, const char* metric) {
  const auto bad = std::find_if(score.begin(), score.end(), [](double s) { return std::isnan(s); });
  if (bad != score.end()) fail(metric, ": score ", bad - score.begin(), " of ", score.size(), " is NaN");
  std::vector<size_t> order(score.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return score[a] > score[b]; });
  return order;
}

ClassScores class_scores(const Counts& counts, const std::string& name) {
  ClassScores scores;
  scores.name = name;
  scores.positives = counts.true_positives + counts.false_negatives;
  scores.precision = counts.precision();
  scores.recall = counts.recall();
  scores.f1 = counts.f1();
  return scores;
}

// Predicted and actual classes of each node: bool [M, C].
struct Decisions {
  at::Tensor predicted, actual;

  // decided: bool, shaped like probabilities; unused in multi-class tasks, which predict the likeliest class.
  Decisions(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const at::Tensor& decided) {
    if (task == Task::kMultiLabel) {
      predicted = decided, actual = labels > 0.5;
      return;
    }
    const bool binary = task == Task::kBinary;
    const int64_t classes = binary ? 2 : probabilities.size(1);
    const at::Tensor all = at::arange(classes, labels.options());
    const at::Tensor chosen = binary ? decided.squeeze(1).to(at::kLong) : probabilities.argmax(1);
    predicted = chosen.unsqueeze(1) == all;
    actual = labels.unsqueeze(1) == all;
  }

  // Per class; only the sums leave the device.
  std::vector<Counts> counts() const {
    const at::Tensor sums =
        at::stack({(predicted & actual).sum(0), (predicted & ~actual).sum(0), (~predicted & actual).sum(0)}, 1).cpu();
    std::vector<Counts> by_class;
    for (int64_t c = 0; c < sums.size(0); ++c) {
      const int64_t* of_class = sums.data_ptr<int64_t>() + 3 * c;
      by_class.push_back({of_class[0], of_class[1], of_class[2]});
    }
    return by_class;
  }
};

void rank_classes(Task task, const at::Tensor& probabilities, const at::Tensor& actual, Scores& scores) {
  const at::Tensor p = task == Task::kBinary ? at::cat({1 - probabilities, probabilities}, 1) : probabilities;
  const at::Tensor score = p.cpu().to(at::kDouble).t().contiguous(), has = actual.cpu().t().contiguous();
  const int64_t nodes = score.size(1);
  for (size_t c = 0; c < scores.classes.size(); ++c) {
    const auto* first = score.data_ptr<double>() + static_cast<int64_t>(c) * nodes;
    const auto* positive = has.data_ptr<bool>() + static_cast<int64_t>(c) * nodes;
    const std::vector<double> of_class(first, first + nodes);
    const std::vector<bool> actual_of_class(positive, positive + nodes);
    scores.classes[c].roc_auc = roc_auc(of_class, actual_of_class);
    scores.classes[c].average_precision = average_precision(of_class, actual_of_class);
  }
}

// Means of the ranking scores over the classes with both positives and negatives.
void average_rankings(Scores& scores) {
  double ranked = 0, areas = 0, precisions = 0;
  for (const ClassScores& c : scores.classes) {
    if (std::isnan(c.roc_auc)) continue;
    areas += c.roc_auc;
    precisions += c.average_precision;
    ++ranked;
  }
  if (ranked > 0) scores.roc_auc = areas / ranked, scores.average_precision = precisions / ranked;
}

// The likeliest labels of each node, as many as it truly has: bool [M, L].
at::Tensor likeliest_labels(const at::Tensor& probabilities, const at::Tensor& labels) {
  const at::Tensor rank = std::get<1>(std::get<1>(probabilities.sort(true, 1, true)).sort(1));
  return rank < labels.sum(1, true);
}

// F1 scores while the threshold falls past one decision at a time.
class Sweep {
 public:
  explicit Sweep(const at::Tensor& actual)
      : positives_(static_cast<size_t>(actual.size(1))), counts_(positives_.size()) {
    const at::Tensor sums = actual.sum(0).to(at::kLong).contiguous();
    for (size_t c = 0; c < positives_.size(); ++c) positives_[c] = sums.data_ptr<int64_t>()[c];
  }
  void accept(size_t c, bool actual) {
    macro_ -= f1(counts_[c], positives_[c]);
    ++(actual ? counts_[c].true_positives : counts_[c].false_positives);
    ++(actual ? all_.true_positives : all_.false_positives);
    macro_ += f1(counts_[c], positives_[c]);
  }
  double macro() const { return macro_ / static_cast<double>(positives_.size()); }
  double micro() const { return f1(all_, std::accumulate(positives_.begin(), positives_.end(), int64_t{0})); }

 private:
  static double f1(const Counts& counts, int64_t positives) {
    return Counts::ratio(2 * counts.true_positives, counts.true_positives + counts.false_positives + positives);
  }
  std::vector<int64_t> positives_;
  std::vector<Counts> counts_;
  Counts all_;
  double macro_ = 0;
};

Scores score_decisions(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const at::Tensor& decided,
                       const std::vector<std::string>& class_names, Rankings rankings) {
  const Decisions decisions(task, probabilities, labels, decided);
  const std::vector<Counts> counts = decisions.counts();
  Scores scores;
  Counts all;
  double sum = 0;
  for (size_t c = 0; c < counts.size(); ++c) {
    const std::string name = c < class_names.size() ? class_names[c] : std::to_string(c);
    scores.classes.push_back(class_scores(counts[c], name));
    sum += scores.classes.back().f1 / static_cast<double>(counts.size());
    all.add(counts[c]);
  }
  scores.ranked = rankings == Rankings::kWith;
  if (labels.size(0) == 0) return scores;
  scores.macro_f1 = sum, scores.micro_f1 = all.f1();
  // Every node is predicted exactly one class, so a wrong one is one false positive; in multi-label tasks every label
  // is a decision of its own.
  const bool multi_label = task == Task::kMultiLabel;
  const int64_t cases = multi_label ? labels.numel() : labels.size(0);
  const int64_t wrong = all.false_positives + (multi_label ? all.false_negatives : 0);
  scores.accuracy = 1.0 - Counts::ratio(wrong, cases);
  scores.f1 = task == Task::kBinary ? scores.classes[1].f1 : multi_label ? scores.micro_f1 : scores.macro_f1;
  if (!scores.ranked) return scores;
  rank_classes(task, probabilities, decisions.actual, scores);
  if (task == Task::kBinary) {
    scores.roc_auc = scores.classes[1].roc_auc, scores.average_precision = scores.classes[1].average_precision;
  } else {
    average_rankings(scores);
  }
  return scores;
}

}  // namespace

void register_metric(const std::string& name, Metric metric) {
  for (const BuiltInMetric& known : kBuiltInMetrics) {
    if (name == known.name) fail("register_metric: there is a metric '", name, "' already");
  }
  own_metrics().add(name, std::move(metric));
}

std::vector<std::string> Scores::names() {
  std::vector<std::string> list;
  for (const BuiltInMetric& known : kBuiltInMetrics) list.emplace_back(known.name);
  for (const std::string& name : own_metrics().names()) list.push_back(name);
  return list;
}

double Scores::by_name(const std::string& metric) const {
  for (const BuiltInMetric& known : kBuiltInMetrics) {
    if (metric == known.name) return this->*known.score;
  }
  if (const auto found = own.find(metric); found != own.end()) return found->second;
  for (const std::string& name : own_metrics().names()) {
    if (metric == name) return kUndefined;  // scored without nodes
  }
  fail("metric: '", metric, "' is not one of ", listed(names()));
}

Scores score_predictions(Task task, const at::Tensor& probabilities, const at::Tensor& labels, double threshold,
                         const std::vector<std::string>& class_names, Rankings rankings) {
  check_finite(probabilities, "score_predictions");
  Scores scores = score_decisions(task, probabilities, labels, probabilities > threshold, class_names, rankings);
  scores.own = own_scores(task, probabilities, labels);
  return scores;
}

Scores score_label_count(const at::Tensor& probabilities, const at::Tensor& labels,
                         const std::vector<std::string>& class_names, Rankings rankings) {
  check_finite(probabilities, "score_label_count");
  Scores scores = score_decisions(Task::kMultiLabel, probabilities, labels, likeliest_labels(probabilities, labels),
                                  class_names, rankings);
  scores.own = own_scores(Task::kMultiLabel, probabilities, labels);
  return scores;
}

double best_threshold(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const std::string& metric) {
  constexpr double kHalf = 0.5;
  check_finite(probabilities, "best_threshold");
  if (task == Task::kMultiClass || probabilities.numel() == 0) return kHalf;
  const at::Tensor actual = (task == Task::kBinary ? labels.unsqueeze(1) > 0 : labels > 0.5).cpu().contiguous();
  const auto [sorted, place] = probabilities.cpu().reshape({-1}).sort(0, true);
  const auto* score = sorted.data_ptr<float>();
  const auto columns = actual.size(1);
  Sweep sweep(actual);
  double best = 0, threshold = kHalf;
  for (int64_t n = 0; n < sorted.numel(); ++n) {
    const int64_t at = place.data_ptr<int64_t>()[n];
    sweep.accept(static_cast<size_t>(at % columns), actual.data_ptr<bool>()[at]);
    const float next = n + 1 < sorted.numel() ? score[n + 1] : 0;
    if (next == score[n]) continue;  // decided together; a score of 0 is above no threshold
    const double value = metric == "macro_f1" ? sweep.macro() : sweep.micro();
    if (value > best) best = value, threshold = next;
  }
  return threshold;
}

double roc_auc(const std::vector<double>& score, const std::vector<bool>& positive) {
  const std::vector<size_t> order = by_descending(score, "roc_auc");
  double area = 0, positives = 0, negatives = 0;
  for (size_t first = 0; first < order.size();) {
    double tied_positives = 0, tied_negatives = 0;
    size_t last = first;
    for (; last < order.size() && score[order[last]] == score[order[first]]; ++last) {
      (positive[order[last]] ? tied_positives : tied_negatives) += 1;
    }
    area += tied_negatives * (positives + tied_positives / 2);
    positives += tied_positives;
    negatives += tied_negatives;
    first = last;
  }
  return positives == 0 || negatives == 0 ? kUndefined : area / (positives * negatives);
}

double average_precision(const std::vector<double>& score, const std::vector<bool>& positive) {
  const std::vector<size_t> order = by_descending(score, "average_precision");
  double sum = 0, found = 0;
  const auto positives = std::count(positive.begin(), positive.end(), true);
  if (positives == 0 || positives == std::ssize(positive)) return kUndefined;
  for (size_t first = 0; first < order.size();) {
    double tied = 0;
    size_t last = first;
    for (; last < order.size() && score[order[last]] == score[order[first]]; ++last) tied += positive[order[last]];
    found += tied;
    sum += tied * found / static_cast<double>(last);
    first = last;
  }
  return sum / static_cast<double>(positives);
}

}  // namespace geniepath
