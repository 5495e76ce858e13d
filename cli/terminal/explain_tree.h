// An explanation as text for the terminal.
#pragma once

#include <string>

#include "geniepath/explain.h"
#include "report/node_facts.h"
#include "report/reasons.h"

namespace geniepath::cli {

// The paths as a tree, with true edges marked where they are known; the gates over depth, entropy and faithfulness.
// `colours`: levels in colour.
std::string explanation_tree(const report::NodeFacts& facts, const Explanation& explanation,
                             const report::Reasons& reasons, const report::Columns& columns, NodeId original,
                             bool colours);

}  // namespace geniepath::cli
