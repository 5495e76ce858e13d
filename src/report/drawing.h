// The paper's figure for one node: the graph Laplacian's weights on the left, the learned ones on the right, on the
// same paths. An edge's thickness is its weight, its colour its level; the explained node is black. Where the data
// has true edges, they lie on a yellow band.
#pragma once

#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "report/node_facts.h"

namespace geniepath::report {

// `layer`: the layer whose alpha is drawn, 1 to T; the paper draws the first. `notes` are written below, each wrapped.
std::string explanation_svg(const NodeFacts& facts, const Explanation& explanation, int64_t layer,
                            const std::vector<std::string>& notes = {});

// The same for Graphviz.
std::string explanation_dot(const NodeFacts& facts, const Explanation& explanation, int64_t layer);

// "50 of 1,234 paths shown, ...": what a drawing leaves out.
std::string left_out_text(const Explanation& explanation);

const char* colour_of(Level level);
const char* text_of(Level level);  // "w < 0.1"

}  // namespace geniepath::report
