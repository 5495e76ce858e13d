#include "report/curves.h"

#include <gtest/gtest.h>

#include "geniepath/metrics.h"
#include "graphs_that_hurt.h"

namespace geniepath::report {
namespace {

Ranking some_ranking() {
  Random random{4};
  Ranking ranking;
  for (int n = 0; n < 500; ++n) {
    ranking.positive.push_back(random.uniform() < 0.3);
    ranking.score.push_back(std::floor(20 * (0.3 * ranking.positive.back() + 0.7 * random.uniform())) /
                            20);  // with ties
  }
  return ranking;
}

double area(const Points& points) {
  double sum = 0;
  for (size_t n = 1; n < points.size(); ++n) {
    sum += (points[n].first - points[n - 1].first) * (points[n].second + points[n - 1].second) / 2;
  }
  return sum;
}

TEST(Curves, TheAreaUnderTheRocCurveIsItsScore) {
  const Ranking ranking = some_ranking();
  const Points points = roc_curve(ranking);
  EXPECT_EQ(points.front(), (std::pair<double, double>{0, 0}));
  EXPECT_EQ(points.back(), (std::pair<double, double>{1, 1}));
  EXPECT_NEAR(area(points), roc_auc(ranking.score, ranking.positive), 1e-12);
}

TEST(Curves, StepsUnderPrecisionAndRecallAreAveragePrecision) {
  const Ranking ranking = some_ranking();
  double sum = 0, recall = 0;
  for (const auto& [x, y] : precision_recall_curve(ranking)) sum += (x - recall) * y, recall = x;
  EXPECT_NEAR(sum, average_precision(ranking.score, ranking.positive), 1e-12);
}

TEST(Curves, CalibrationIsMeanScoreAgainstShareOfPositives) {
  const Ranking ranking{{0.05, 0.05, 0.95, 1.0}, {false, true, true, true}};
  const Points points = calibration_curve(ranking);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_NEAR(points[0].first, 0.05, 1e-12);
  EXPECT_NEAR(points[0].second, 0.5, 1e-12);
  EXPECT_NEAR(points[1].first, 0.975, 1e-12);
  EXPECT_NEAR(points[1].second, 1, 1e-12);
}

TEST(Curves, GainAndLiftCountWhatIsFoundOnTheWay) {
  const Ranking ranking{{0.9, 0.8, 0.8, 0.1}, {true, false, true, false}};
  EXPECT_EQ(gain_curve(ranking), (Points{{0, 0}, {0.25, 0.5}, {0.75, 1}, {1, 1}}));
  const Points lift = lift_curve(ranking);
  ASSERT_EQ(lift.size(), 3u);
  EXPECT_DOUBLE_EQ(lift[0].second, 2);
  EXPECT_DOUBLE_EQ(lift[2].second, 1);
  EXPECT_TRUE(gain_curve({{0.5}, {false}}).empty());
  EXPECT_TRUE(lift_curve({}).empty());
}

// Against counting alarms and misses at every threshold.
TEST(Curves, CostsAreThoseOfFalseAlarmsAndMisses) {
  const Ranking ranking = some_ranking();
  const Points points = cost_curve(ranking, 5);
  for (const auto& [threshold, cost] : points) {
    double expected = 0;
    for (size_t n = 0; n < ranking.score.size(); ++n) {
      const bool alarm = ranking.score[n] >= threshold && threshold < 1;
      expected += alarm ? !ranking.positive[n] : 5.0 * ranking.positive[n];
    }
    EXPECT_NEAR(cost, expected / 500, 1e-12) << threshold;
  }
  EXPECT_TRUE(cost_curve({}, 5).empty());
}

TEST(Curves, BinsHoldEveryScoreOnce) {
  const std::vector<ScoreBin> bins = score_bins({{0, 0.05, 0.95, 1}, {false, true, true, true}});
  EXPECT_EQ(bins.front().nodes, 2);
  EXPECT_EQ(bins.front().positives, 1);
  EXPECT_EQ(bins.back().nodes, 2);
  EXPECT_EQ(bins.back().positives, 2);
  EXPECT_EQ(bins[4].nodes, 0);
}

TEST(Curves, WithoutBothKindsThereIsNone) {
  EXPECT_TRUE(roc_curve({{0.5, 0.2}, {true, true}}).empty());
  EXPECT_TRUE(roc_curve({}).empty());
  EXPECT_TRUE(precision_recall_curve({{0.5}, {false}}).empty());
}

TEST(Curves, ThinningKeepsTheEnds) {
  const Points points = roc_curve(some_ranking()), few = thinned(points, 8);
  EXPECT_LE(few.size(), 9u);
  EXPECT_EQ(few.front(), points.front());
  EXPECT_EQ(few.back(), points.back());
  EXPECT_NEAR(area(few), area(points), 0.03);
  EXPECT_EQ(thinned(points, 1000), points);
}

}  // namespace
}  // namespace geniepath::report
