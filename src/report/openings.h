// The nodes that the report and the explorer open with: those that their paths decide, whose score changes most when
// their strongest paths are taken away. Of many nodes a sample is tried, drawn with a fixed seed.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "report/node_facts.h"

namespace geniepath::report {

struct DecidedNode {
  NodeId node = 0;
  double score = 0, without = 0;  // of the class to show: with all edges, and without those of the strongest paths
  double change() const { return std::abs(score - without); }
};

// Called after every node tried.
using OpeningProgress = std::function<void(size_t tried, size_t all)>;

// The test nodes, or all nodes if there are none; in binary tasks half of the sample is predicted positive where
// possible. Largest change first, equal ones by node.
std::vector<DecidedNode> decided_nodes(const NodeFacts& facts, const Explainer& explainer, const ExplainOptions& options);

struct ReportOpening {
  const char* kind;  // binary tasks: found, false alarm, missed; others: right, wrong
  DecidedNode node;
};

// Of each kind the test node of the largest change among a sample of those with at least two neighbours. Kinds without
// such a node are left out.
std::vector<ReportOpening> report_openings(const NodeFacts& facts, const Explainer& explainer,
                                           const ExplainOptions& options, const OpeningProgress& progress = {});

}  // namespace geniepath::report
