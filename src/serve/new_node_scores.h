// The answer to POST /api/v1/score: predictions for nodes that are not in the graph.
#pragma once

#include <string>

#include "geniepath/predictor.h"
#include "serve/feature_columns.h"
#include "serve/node_answers.h"

namespace geniepath::serve {

struct ScoredGraph {
  const NodeAnswers& nodes;
  const Predictor& predictor;
  const FeatureColumns& columns;
  bool sparse;    // the form of its features
  bool directed;
};

// Throws an ApiError: 400 or 422 for a body that violates web/openapi.json, or whose nodes and edges do not fit the
// graph.
report::Json score_new_nodes(const ScoredGraph& graph, const std::string& body);

}  // namespace geniepath::serve
