// A verdict in words: which neighbours decided a prediction, as far as removing them shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/reasons.h"

namespace geniepath::report {

// The fewest neighbours without which the prediction changes (in multi-label tasks, whether the likeliest label is
// predicted); if there are no such neighbours, those whose removal changes the score most, by at least 0.1; else none. Of the
// strongest eight among the listed paths, removed one after the other, the most influential first
// (Explainer::without_neighbours).
struct Deciding {
  std::vector<NodeId> neighbours;
  double without = 0;     // the score of the class to show if the node did not attend to them
  bool changes = false;   // whether that class is predicted then and not now, or the other way round
};
Deciding deciding_neighbours(const NodeFacts& facts, const Explainer& explainer, const Explanation& explanation);

// The prediction, the deciding neighbours with the labels around them, or that neighbours change little; and whether
// attention is nearly even, and so says nothing.
std::string verdict(const NodeFacts& facts, const Explanation& explanation, const Deciding& deciding);

// The node's own column with the largest share, if that is at least 0.02; begins with a space.
std::string columns_sentence(const std::optional<FeatureShares>& shares, const Columns& columns, NodeId original);

}  // namespace geniepath::report
