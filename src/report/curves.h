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

// Share of the nodes looked at, highest scores first, against the share of the positives found; from (0, 0). Ties are
// one step. Empty without positives.
Points gain_curve(const Ranking& ranking);

// Share of the nodes looked at against how many times more positives they hold than as many drawn at random. Empty
// without positives.
Points lift_curve(const Ranking& ranking);

// Threshold against the cost per node, where a false alarm costs 1 and a missed positive `missed`; from above the
// highest score down. Empty without nodes.
Points cost_curve(const Ranking& ranking, double missed);

// Number of scores and of positives in `bins` of equal width, 0 to 1.
struct ScoreBin {
  double nodes = 0, positives = 0;
};
std::vector<ScoreBin> score_bins(const Ranking& ranking, int bins = 10);

// At most `most` of the points, including the first and last, evenly spread along the curve.
Points thinned(const Points& points, size_t most);

}  // namespace geniepath::report
