#include "report/curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace geniepath::report {
namespace {

// Visits (true positives, false positives, score) after each group of equal scores, highest first.
template <class Visit>
void for_thresholds(const Ranking& ranking, Visit visit) {
  std::vector<size_t> order(ranking.score.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return ranking.score[a] > ranking.score[b]; });
  double found = 0, wrong = 0;
  for (size_t n = 0; n < order.size(); ++n) {
    (ranking.positive[order[n]] ? found : wrong) += 1;
    if (n + 1 == order.size() || ranking.score[order[n + 1]] != ranking.score[order[n]])
      visit(found, wrong, ranking.score[order[n]]);
  }
}

double count_positives(const Ranking& ranking) {
  return static_cast<double>(std::count(ranking.positive.begin(), ranking.positive.end(), true));
}

}  // namespace

Points roc_curve(const Ranking& ranking) {
  const double positives = count_positives(ranking), negatives = static_cast<double>(ranking.score.size()) - positives;
  if (positives == 0 || negatives == 0) return {};
  Points points{{0, 0}};
  for_thresholds(
      ranking, [&](double found, double wrong, double) { points.emplace_back(wrong / negatives, found / positives); });
  return points;
}

Points precision_recall_curve(const Ranking& ranking) {
  const double positives = count_positives(ranking);
  Points points;
  if (positives == 0) return points;
  for_thresholds(ranking, [&](double found, double wrong, double) {
    points.emplace_back(found / positives, found / (found + wrong));
  });
  return points;
}

Points calibration_curve(const Ranking& ranking, int bins) {
  std::vector<double> sum(static_cast<size_t>(bins)), positive(sum), count(sum);
  for (size_t n = 0; n < ranking.score.size(); ++n) {
    const auto bin = static_cast<size_t>(std::clamp(static_cast<int>(ranking.score[n] * bins), 0, bins - 1));
    sum[bin] += ranking.score[n];
    positive[bin] += ranking.positive[n];
    count[bin] += 1;
  }
  Points points;
  for (size_t bin = 0; bin < sum.size(); ++bin) {
    if (count[bin] > 0) points.emplace_back(sum[bin] / count[bin], positive[bin] / count[bin]);
  }
  return points;
}

Points gain_curve(const Ranking& ranking) {
  const double positives = count_positives(ranking), nodes = static_cast<double>(ranking.score.size());
  if (positives == 0) return {};
  Points points{{0, 0}};
  for_thresholds(ranking, [&](double found, double wrong, double) {
    points.emplace_back((found + wrong) / nodes, found / positives);
  });
  return points;
}

Points lift_curve(const Ranking& ranking) {
  Points points;
  for (const auto& [looked_at, found] : gain_curve(ranking)) {
    if (looked_at > 0) points.emplace_back(looked_at, found / looked_at);
  }
  return points;
}

Points cost_curve(const Ranking& ranking, double missed) {
  const double positives = count_positives(ranking), nodes = static_cast<double>(ranking.score.size());
  if (nodes == 0) return {};
  Points points{{1, missed * positives / nodes}};
  for_thresholds(ranking, [&](double found, double wrong, double score) {
    points.emplace_back(score, (wrong + missed * (positives - found)) / nodes);
  });
  return points;
}

std::vector<ScoreBin> score_bins(const Ranking& ranking, int bins) {
  std::vector<ScoreBin> out(static_cast<size_t>(bins));
  for (size_t n = 0; n < ranking.score.size(); ++n) {
    ScoreBin& bin = out[static_cast<size_t>(std::clamp(static_cast<int>(ranking.score[n] * bins), 0, bins - 1))];
    bin.nodes += 1;
    bin.positives += ranking.positive[n];
  }
  return out;
}

Points thinned(const Points& points, size_t most) {
  if (points.size() <= most || most < 2) return points;
  std::vector<double> length{0};
  for (size_t n = 1; n < points.size(); ++n) {
    length.push_back(length.back() +
                     std::hypot(points[n].first - points[n - 1].first, points[n].second - points[n - 1].second));
  }
  Points kept;
  const double step = length.back() / static_cast<double>(most - 1);
  for (size_t n = 0; n + 1 < points.size(); ++n) {
    if (length[n] >= step * static_cast<double>(kept.size())) kept.push_back(points[n]);
  }
  kept.push_back(points.back());
  return kept;
}

}  // namespace geniepath::report
