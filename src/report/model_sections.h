// Report sections on a model's attention: over all nodes, and for selected ones.
#pragma once

#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "report/node_facts.h"
#include "report/openings.h"
#include "report/reasons.h"

namespace geniepath::report {

std::string depth_section(const Explainer& explainer);
std::string entropy_section(const Explainer& explainer);

// Paths of nodes that they decide: hits and mistakes.
std::string paths_section(const NodeFacts& facts, const Explainer& explainer, const Columns& columns,
                          const std::vector<ReportSample>& samples, const PathProgress& progress = {});

}  // namespace geniepath::report
