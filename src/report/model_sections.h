// What a model attends to, over all nodes and for some of them.
#pragma once

#include <string>

#include "geniepath/explain.h"
#include "report/node_facts.h"

namespace geniepath::report {

std::string depth_section(const Explainer& explainer);
std::string entropy_section(const Explainer& explainer);

// Nodes a reader would ask about: found with confidence, and mistaken.
std::string paths_section(const NodeFacts& facts, const Explainer& explainer);

}  // namespace geniepath::report
