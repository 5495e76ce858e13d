// An explanation for people at a terminal.
#pragma once

#include <string>

#include "geniepath/explain.h"
#include "report/node_facts.h"

namespace geniepath::cli {

// The paths as a tree, the gates over depth, entropy, and what the prediction rests on. `colours`: levels in colour.
std::string explanation_tree(const report::NodeFacts& facts, const Explanation& explanation, bool colours);

}  // namespace geniepath::cli
