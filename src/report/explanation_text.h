// An explanation as a table of edges, and as part of a page.
#pragma once

#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "report/csv_writer.h"
#include "report/node_facts.h"

namespace geniepath::report {

// Heading and rows of a CSV table: every edge of the neighbourhood, with the alpha of each layer, the Laplacian's
// weight and the level of the first layer's alpha, as in the paper's figure.
void write_edges_heading(CsvWriter& table, int64_t depth);
void write_edges(CsvWriter& table, const NodeFacts& facts, NodeId node, const std::vector<PathEdge>& edges);

// A node's labels and prediction, in one line.
std::string node_line(const NodeFacts& facts, NodeId node);

// "malicious 0.917": the node's telling class, with its probability from predict().
std::string prediction_text(const NodeFacts& facts, NodeId node, const at::Tensor& probabilities);

// Drawing, gates, entropy, paths and faithfulness as HTML, each below its own heading. `reasons` is HTML to begin with.
std::string explanation_html(const NodeFacts& facts, const Explanation& explanation, int64_t layer,
                             const std::string& reasons = "");

}  // namespace geniepath::report
