// The API of web/openapi.json, without the network: a model, its graph, and answers about them.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "geniepath/explain.h"
#include "geniepath/train.h"
#include "report/explanation_json.h"
#include "report/node_facts.h"
#include "serve/request.h"

namespace geniepath::serve {

// All methods are safe to call from many threads. What cannot be answered is an ApiError.
class Service {
 public:
  // The data is prepared as the run's was. Computes the model's output on all of it.
  Service(const RunFolder& folder, Dataset data, std::string version);

  // GET, and POST with its body.
  std::string get(const Target& target);
  std::string post(const Target& target, const std::string& body);
  // Every answer the server gives, whatever it is.
  void count_answer(int status);

 private:
  using Json = report::Json;
  Json health() const;
  Json model() const;
  Json metrics() const;
  Json search(const std::string& query, int64_t limit) const;
  Json paths(NodeId node, const ExplainOptions& options) const;
  Json score(const std::string& body) const;
  NodeId node_named(const std::string& id) const;
  double uptime() const;

  std::string version_;
  RunDescription run_;
  FittedTransforms transforms_;
  Dataset data_;
  std::shared_ptr<Model> model_;
  Explainer explainer_;
  report::NodeFacts facts_;
  Json model_scores_;             // null where the run was never finished
  std::vector<NodeId> by_score_;  // all nodes, the highest score first
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();  // ready to answer
  std::atomic<int64_t> requests_ = 0, errors_ = 0;
};

}  // namespace geniepath::serve
