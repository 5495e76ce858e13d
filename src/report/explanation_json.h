// Nodes, predictions and explanations as JSON, as described in web/openapi.json.
#pragma once

#include <nlohmann/json.hpp>

#include "geniepath/explain.h"
#include "report/node_facts.h"

namespace geniepath::report {

using Json = nlohmann::ordered_json;

Json node_json(const NodeFacts& facts, NodeId node);                         // Node
Json summary_json(const NodeFacts& facts, NodeId node, size_t which_class);  // NodeSummary
Json prediction_json(const NodeFacts& facts, const at::Tensor& probabilities);  // Prediction
Json explanation_json(const NodeFacts& facts, const Explanation& explanation, double seconds);  // ReceptivePaths

}  // namespace geniepath::report
