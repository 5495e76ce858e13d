// An explanation as a table of edges, and as part of a page.
#pragma once

#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "report/csv_writer.h"
#include "report/node_facts.h"

namespace geniepath::report {

// Heading and rows of a CSV table: every edge of the neighbourhood, with the alpha of each layer, the Laplacian's weight
// and the level of the first layer's alpha, as in the paper's figure.
void write_edges_heading(CsvWriter& table, int64_t depth);
void write_edges(CsvWriter& table, const NodeFacts& facts, NodeId node, const std::vector<PathEdge>& edges);

// What is known and predicted of a node, in one line.
std::string node_line(const NodeFacts& facts, NodeId node);

// "malicious 0.917" of probabilities as predict() gives them: the telling class of the node.
std::string prediction_text(const NodeFacts& facts, NodeId node, const at::Tensor& probabilities);

// The drawing, gates, entropy, paths and faithfulness, as HTML below a heading of their own.
std::string explanation_html(const NodeFacts& facts, const Explanation& explanation, int64_t layer);

}  // namespace geniepath::report
