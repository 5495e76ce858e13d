// The API of web/openapi.json, without the network: a model, its graph, and answers about them.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "geniepath/explain.h"
#include "geniepath/predictor.h"
#include "report/explanation_json.h"
#include "report/node_facts.h"
#include "serve/request.h"
#include "serve/workers.h"

namespace geniepath::serve {

// All methods are safe to call from many threads. What cannot be answered is an ApiError.
class Service {
 public:
  // The data is prepared as the run's was. A model that does not attend to neighbours is an Error. The model's output on
  // all nodes is computed in the background, by as many threads as are set; answers that need it wait for it, and until
  // then the service is not healthy.
  Service(const RunFolder& folder, Dataset data, std::string version);

  // Threads that score and that look for paths: as many of each as are set.
  static int64_t num_workers();

  // GET, and POST with its body.
  std::string get(const Target& target);
  std::string post(const Target& target, const std::string& body);
  // Whose threads are to call them: none in particular (null) where the answer takes no time.
  Workers* workers_for(const Target& target);
  // Why no node can be scored; "" while that is not so.
  std::string failure() const;
  // Every answer the server gives, whatever it is.
  void count_answer(int status);

 private:
  using Json = report::Json;
  // What follows from the model's output on all nodes.
  struct Scored {
    Scored(const Service& service, const RunFolder& folder);
    Explainer explainer;
    report::NodeFacts facts;
    Json model_scores;             // null where the run was never finished
    std::vector<NodeId> by_score;  // all nodes, the highest score first
  };
  bool scoring_done() const;
  const Scored& scored() const;  // waits for it; an ApiError (503) where it failed
  Json health() const;
  Json model() const;
  Json metrics() const;
  Json search(const std::string& query, int64_t limit) const;
  Json paths(NodeId node, const ExplainOptions& options) const;
  Json score(const std::string& body) const;
  // Their probabilities; an ApiError (422) where the model has none, as of features too large for it.
  at::Tensor scores_of(const UnseenNodes& unseen) const;
  NodeId node_named(const std::string& id) const;
  double uptime() const;

  std::string version_;
  Predictor predictor_;
  Dataset data_;
  bool directed_;
  std::vector<std::string> classes_;
  std::unique_ptr<const Scored> scored_;
  std::shared_future<void> scoring_;
  Workers score_workers_, path_workers_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();  // ready to answer
  std::atomic<int64_t> requests_ = 0, errors_ = 0;
};

}  // namespace geniepath::serve
