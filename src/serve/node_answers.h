// Answers about the nodes of the graph, from the model's output on all of them.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "geniepath/predictor.h"
#include "report/explanation_json.h"
#include "report/node_facts.h"
#include "report/openings.h"
#include "report/reasons.h"
#include "serve/node_queue.h"
#include "serve/request.h"

namespace geniepath::serve {

// All methods are thread-safe. An id that no node has is an ApiError (404).
class NodeAnswers {
 public:
  using Json = report::Json;

  // Computes the output. The data must outlive this. `threshold`: of binary and multi-label predictions.
  NodeAnswers(const Predictor& predictor, const Dataset& data, const Features& raw,
              const std::vector<std::string>& classes, double threshold, const RunFolder& folder);

  const Explainer& explainer() const { return explainer_; }
  const report::NodeFacts& facts() const { return facts_; }
  const Json& model_scores() const { return model_scores_; }  // null if the run was never finished

  Json search(const std::string& query, int64_t limit) const;
  Json decided(int64_t limit) const;
  Json queue(const QueueQuery& query, int64_t offset, int64_t limit) const;
  std::string queue_table(Parameters& parameters) const;
  Json node(const std::string& id) const;
  Json paths(const std::string& id, const ExplainOptions& options) const;
  Json reasons(const std::string& id, const ExplainOptions& options) const;
  Json neighbours(const std::string& id, int64_t limit) const;
  Json routes(const std::string& from_id, const std::string& to_id, int64_t limit) const;

 private:
  NodeId node_named(const std::string& id) const;
  Json summary(NodeId node) const;
  std::vector<NodeId> queued(const QueueQuery& query) const;

  const Graph& graph_;
  Explainer explainer_;
  report::NodeFacts facts_;
  report::Columns columns_;
  Json model_scores_;
  std::vector<NodeId> by_score_;                                  // all nodes, highest score first
  std::shared_future<std::vector<report::DecidedNode>> decided_;  // computed by the first request for it
};

}  // namespace geniepath::serve
