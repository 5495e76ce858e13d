#include "geniepath/metrics.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "geniepath/error.h"

namespace geniepath {
namespace {

struct Counts {
  int64_t true_positives = 0, false_positives = 0, false_negatives = 0;

  void add(bool predicted, bool actual) {
    true_positives += predicted && actual;
    false_positives += predicted && !actual;
    false_negatives += !predicted && actual;
  }
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

std::vector<size_t> by_descending(const std::vector<double>& score) {
  std::vector<size_t> order(score.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return score[a] > score[b]; });
  return order;
}

// Who is predicted to have, and who has, class c.
struct ClassView {
  std::vector<double> score;
  std::vector<bool> predicted, actual;
};

ClassScores score_class(const ClassView& view, const std::string& name, Counts& counts) {
  for (size_t n = 0; n < view.actual.size(); ++n) counts.add(view.predicted[n], view.actual[n]);
  ClassScores scores;
  scores.name = name;
  scores.positives = std::count(view.actual.begin(), view.actual.end(), true);
  scores.precision = counts.precision();
  scores.recall = counts.recall();
  scores.f1 = counts.f1();
  scores.roc_auc = roc_auc(view.score, view.actual);
  scores.average_precision = average_precision(view.score, view.actual);
  return scores;
}

int64_t predicted_class(const float* row, int64_t classes) { return std::max_element(row, row + classes) - row; }

// decided: bool, like probabilities; not looked at for multi-class, where the likeliest class is predicted.
ClassView view_of(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const at::Tensor& decided,
                  int64_t c) {
  const int64_t nodes = probabilities.size(0), columns = probabilities.size(1);
  const auto* p = probabilities.data_ptr<float>();
  const bool* positive = decided.data_ptr<bool>();
  ClassView view;
  for (int64_t n = 0; n < nodes; ++n) {
    const float* row = p + n * columns;
    switch (task) {
      case Task::kMultiClass:
        view.score.push_back(row[c]);
        view.predicted.push_back(predicted_class(row, columns) == c);
        view.actual.push_back(labels.data_ptr<int64_t>()[n] == c);
        break;
      case Task::kMultiLabel:
        view.score.push_back(row[c]);
        view.predicted.push_back(positive[n * columns + c]);
        view.actual.push_back(labels.data_ptr<float>()[n * columns + c] > 0.5f);
        break;
      case Task::kBinary:
        view.score.push_back(c == 1 ? row[0] : 1.0f - row[0]);
        view.predicted.push_back(positive[n] == (c == 1));
        view.actual.push_back(labels.data_ptr<int64_t>()[n] == c);
        break;
    }
  }
  return view;
}

// Means of the ranking scores over the classes that can be ranked.
void average_rankings(Scores& scores, int64_t nodes) {
  int64_t ranked = 0;
  for (const ClassScores& c : scores.classes) {
    if (c.positives == 0 || c.positives == nodes) continue;
    scores.roc_auc += c.roc_auc;
    scores.average_precision += c.average_precision;
    ++ranked;
  }
  if (ranked > 0) scores.roc_auc /= static_cast<double>(ranked), scores.average_precision /= static_cast<double>(ranked);
}

// Which labels each node gets where it gets as many as it has.
at::Tensor likeliest_labels(const at::Tensor& probabilities, const at::Tensor& labels) {
  const at::Tensor rank = std::get<1>(std::get<1>(probabilities.sort(true, 1, true)).sort(1));
  return rank < labels.sum(1, true);
}

// F1 of every label as the threshold comes down past one decision after the other.
class Sweep {
 public:
  explicit Sweep(const at::Tensor& actual) : positives_(static_cast<size_t>(actual.size(1))), counts_(positives_.size()) {
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
                       const std::vector<std::string>& class_names) {
  const at::Tensor p = probabilities.contiguous(), y = labels.contiguous(), d = decided.contiguous();
  const int64_t nodes = p.size(0), classes = task == Task::kBinary ? 2 : p.size(1);
  Scores scores;
  Counts all;
  for (int64_t c = 0; c < classes; ++c) {
    const auto at = static_cast<size_t>(c);
    Counts counts;
    const std::string name = at < class_names.size() ? class_names[at] : std::to_string(c);
    scores.classes.push_back(score_class(view_of(task, p, y, d, c), name, counts));
    scores.macro_f1 += scores.classes.back().f1 / static_cast<double>(classes);
    all.add(counts);
  }
  scores.micro_f1 = all.f1();
  // Every node is predicted one class exactly, so a wrong one is one false positive; of labels each is a decision.
  const int64_t decisions = task == Task::kMultiLabel ? nodes * classes : nodes;
  const int64_t wrong = all.false_positives + (task == Task::kMultiLabel ? all.false_negatives : 0);
  scores.accuracy = decisions == 0 ? 0.0 : 1.0 - Counts::ratio(wrong, decisions);
  if (task == Task::kBinary) {
    const ClassScores& positive = scores.classes[1];
    scores.f1 = positive.f1, scores.roc_auc = positive.roc_auc, scores.average_precision = positive.average_precision;
  } else {
    scores.f1 = task == Task::kMultiClass ? scores.macro_f1 : scores.micro_f1;
    average_rankings(scores, nodes);
  }
  return scores;
}

}  // namespace

const char* to_string(Protocol protocol) {
  switch (protocol) {
    case Protocol::kHalf: return "0.5";
    case Protocol::kTuned: return "tuned";
    case Protocol::kLabelCount: return "label-count";
  }
  return "";
}

Protocol protocol_from_string(const std::string& name) {
  for (const Protocol protocol : {Protocol::kHalf, Protocol::kTuned, Protocol::kLabelCount}) {
    if (name == to_string(protocol)) return protocol;
  }
  fail("threshold: '", name, "' is not one of 0.5, tuned, label-count");
}

const std::vector<std::string>& Scores::names() {
  static const std::vector<std::string> kNames{"accuracy", "f1", "micro_f1", "macro_f1", "roc_auc", "average_precision"};
  return kNames;
}

double Scores::by_name(const std::string& metric) const {
  const double values[] = {accuracy, f1, micro_f1, macro_f1, roc_auc, average_precision};
  for (size_t m = 0; m < names().size(); ++m) {
    if (metric == names()[m]) return values[m];
  }
  fail("metric: '", metric, "' is not one of accuracy, f1, micro_f1, macro_f1, roc_auc, average_precision");
}

Scores score_predictions(Task task, const at::Tensor& probabilities, const at::Tensor& labels, double threshold,
                         const std::vector<std::string>& class_names) {
  return score_decisions(task, probabilities, labels, probabilities > threshold, class_names);
}

Scores score_label_count(const at::Tensor& probabilities, const at::Tensor& labels,
                         const std::vector<std::string>& class_names) {
  return score_decisions(Task::kMultiLabel, probabilities, labels, likeliest_labels(probabilities, labels), class_names);
}

double best_threshold(Task task, const at::Tensor& probabilities, const at::Tensor& labels, const std::string& metric) {
  constexpr double kHalf = 0.5;
  if (task == Task::kMultiClass || probabilities.numel() == 0) return kHalf;
  const at::Tensor actual = (task == Task::kBinary ? labels.unsqueeze(1) > 0 : labels > 0.5).contiguous();
  const auto [sorted, place] = probabilities.reshape({-1}).sort(0, true);
  const auto* score = sorted.data_ptr<float>();
  const auto columns = actual.size(1);
  Sweep sweep(actual);
  double best = 0, threshold = kHalf;
  for (int64_t n = 0; n + 1 < sorted.numel(); ++n) {
    const int64_t at = place.data_ptr<int64_t>()[n];
    sweep.accept(static_cast<size_t>(at % columns), actual.data_ptr<bool>()[at]);
    if (score[n + 1] == score[n]) continue;  // decided alike
    const double value = metric == "macro_f1" ? sweep.macro() : sweep.micro();
    if (value > best) best = value, threshold = score[n + 1];
  }
  return threshold;
}

double roc_auc(const std::vector<double>& score, const std::vector<bool>& positive) {
  const std::vector<size_t> order = by_descending(score);
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
  return positives == 0 || negatives == 0 ? 0.0 : area / (positives * negatives);
}

double average_precision(const std::vector<double>& score, const std::vector<bool>& positive) {
  const std::vector<size_t> order = by_descending(score);
  double sum = 0, found = 0;
  const double positives = static_cast<double>(std::count(positive.begin(), positive.end(), true));
  for (size_t first = 0; first < order.size();) {
    double tied = 0;
    size_t last = first;
    for (; last < order.size() && score[order[last]] == score[order[first]]; ++last) tied += positive[order[last]];
    found += tied;
    sum += tied * found / static_cast<double>(last);
    first = last;
  }
  return positives == 0 ? 0.0 : sum / positives;
}

}  // namespace geniepath
