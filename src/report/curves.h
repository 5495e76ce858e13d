// Curves of a ranking.
#pragma once

#include <utility>
#include <vector>

namespace geniepath::report {

using Points = std::vector<std::pair<double, double>>;

struct Ranking {
  std::vector<double> score;
  std::vector<bool> positive;
};

// False positive rate against true positive rate, from (0, 0) to (1, 1). Ties are one step. Empty without positives or
// negatives.
Points roc_curve(const Ranking& ranking);

// Recall against precision, from the highest score down. Empty without positives.
Points precision_recall_curve(const Ranking& ranking);

// Scores in `bins` of equal width: their mean against the share of positives; empty bins are left out.
Points calibration_curve(const Ranking& ranking, int bins = 10);

// At most `most` of the points, including the first and last, evenly spread along the curve.
Points thinned(const Points& points, size_t most);

}  // namespace geniepath::report
