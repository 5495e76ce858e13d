#include "serve/new_node_scores.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

#include "geniepath/error.h"
#include "serve/api_error.h"
#include "serve/score_request.h"
#include "serve/seconds_since.h"

namespace geniepath::serve {
namespace {

using report::Json;

// The new nodes' features, sparse or dense like the data set's own.
Features features_of(const std::vector<NewNode>& nodes, int64_t width, bool sparse) {
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (const NewNode& node : nodes) {
    column.insert(column.end(), node.column.begin(), node.column.end());
    value.insert(value.end(), node.value.begin(), node.value.end());
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  const SparseMatrix matrix{std::ssize(nodes), width, std::move(offset), std::move(column), std::move(value)};
  return sparse ? Features(matrix) : Features(matrix.to_dense());
}

// Ends of edges: nodes of the graph by their numbers, new ones by the numbers that follow.
class Ends {
 public:
  Ends(const NodeAnswers& graph, const std::vector<NewNode>& nodes)
      : graph_(graph), size_(graph.explainer().num_nodes()) {
    for (const NewNode& node : nodes) {
      if (graph.facts().find(node.id)) {
        throw ApiError(422, "node_exists", "the graph has a node of this id", "an id the graph does not have", node.id);
      }
      added_.emplace(node.id, static_cast<NodeId>(size_ + std::ssize(added_)));
    }
  }

  std::vector<std::pair<NodeId, NodeId>> of(const std::vector<std::pair<std::string, std::string>>& edges) const {
    std::vector<std::pair<NodeId, NodeId>> found;
    for (size_t e = 0; e < edges.size(); ++e) {
      const std::string where = "edges[" + std::to_string(e) + "]: ";
      const auto& [from, to] = edges[e];
      found.emplace_back(end(from, where), end(to, where));
      if (std::max(found.back().first, found.back().second) >= size_) continue;
      throw ApiError(422, "bad_body", where + "both ends are nodes of the graph", "an edge with at least one new node",
                     from + " - " + to);
    }
    return found;
  }

 private:
  NodeId end(const std::string& id, const std::string& where) const {
    if (const auto found = added_.find(normalised_id(id)); found != added_.end()) return found->second;
    if (const auto known = graph_.facts().find(id)) return *known;
    throw ApiError(422, "bad_body", where + "no node has this id", "an id of the graph or of the request", id);
  }

  const NodeAnswers& graph_;
  int64_t size_;
  std::map<std::string, NodeId> added_;
};

Features prepared(const ScoredGraph& graph, const std::vector<NewNode>& nodes) {
  const RunDescription& run = graph.predictor.description();
  try {
    return graph.predictor.prepare(features_of(nodes, run.features, graph.sparse));
  } catch (const Error& error) {
    throw ApiError(422, "bad_body", error.what(), "a model whose features are the nodes' own",
                   to_string(run.transforms.node_features));
  }
}

// An ApiError (422) if they are not finite, as for features too large for the model.
at::Tensor probabilities_of(const NodeAnswers& graph, const UnseenNodes& unseen) {
  try {
    return graph.explainer().score(unseen);
  } catch (const Error& error) {
    throw ApiError(422, "bad_body", error.what(), "features near those the model was trained on", "");
  }
}

}  // namespace

Json score_new_nodes(const ScoredGraph& graph, const std::string& body) {
  const auto start = Clock::now();
  const RunDescription& run = graph.predictor.description();
  ScoreRequest request = parse_score_request(body, graph.columns.columns());
  const std::vector<std::string> notes = graph.columns.read(request.nodes);
  UnseenNodes unseen;
  unseen.directed = run.data.data == "tables" ? run.tables.directed && !run.transforms.symmetrise : graph.directed;
  unseen.edges = Ends(graph.nodes, request.nodes).of(request.edges);
  unseen.features = prepared(graph, request.nodes);
  const at::Tensor probabilities = probabilities_of(graph.nodes, unseen);
  Json nodes = Json::array();
  for (size_t n = 0; n < request.nodes.size(); ++n) {
    Json one = {{"id", request.nodes[n].id}};
    one.update(report::prediction_json(graph.nodes.facts(), probabilities[static_cast<int64_t>(n)]));
    nodes.push_back(std::move(one));
  }
  return {{"nodes", nodes}, {"notes", notes}, {"seconds", seconds_since(start)}};
}

}  // namespace geniepath::serve
