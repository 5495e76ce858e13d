// The nodes that the report and the explorer open with: those that their paths decide, whose score changes most when
// their strongest paths are removed. If there are many nodes, a sample is tried, drawn with a fixed seed.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "geniepath/path_quality.h"
#include "report/node_facts.h"

namespace geniepath::report {

struct DecidedNode {
  NodeId node = 0;
  double score = 0, without = 0;  // of the class to show: with all edges, and without those of the strongest paths
  bool changes = false;           // whether the prediction without them differs
  double change() const { return std::abs(score - without); }
};

// The test nodes, or all nodes if there are none; in binary tasks half of the sample is predicted positive where
// possible. Largest change first, equal ones by node.
std::vector<DecidedNode> decided_nodes(const NodeFacts& facts, const Explainer& explainer,
                                       const ExplainOptions& options);

// Test nodes of one kind to try for the report, each with at least two neighbours.
struct ReportSample {
  const char* kind;  // binary tasks: found, false alarm, missed; others: right, wrong
  std::vector<NodeId> nodes;
};

// Kinds without such a node are left out.
std::vector<ReportSample> report_samples(const NodeFacts& facts);

struct ReportOpening {
  const char* kind;
  DecidedNode node;
};

// The node with the largest change of each sample.
std::vector<ReportOpening> report_openings(const NodeFacts& facts, const Explainer& explainer,
                                           const std::vector<ReportSample>& samples, const ExplainOptions& options,
                                           const PathProgress& progress = {});

}  // namespace geniepath::report
