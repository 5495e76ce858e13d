// The API of web/openapi.json without the network: answers about a model and its graph.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "geniepath/predictor.h"
#include "serve/feature_columns.h"
#include "serve/node_answers.h"
#include "serve/request.h"
#include "serve/workers.h"

namespace geniepath::serve {

// All methods are thread-safe. Requests that cannot be answered throw an ApiError.
class Service {
 public:
  // The data must be prepared as the run's own. A model without attention is an Error. The model's output on all nodes
  // is computed in the background, by LibTorch's number of threads; answers that need it wait, and until then the
  // service is not healthy. `other`: another run to compare with, whose answers are at /api/v1/other.
  Service(const RunFolder& folder, Dataset data, std::string version, report::Presentation presentation = {},
          std::unique_ptr<Service> other = nullptr);

  // Threads for scores and for paths together: LibTorch's number of threads for each.
  static int64_t num_workers();

  // Answers GET, and POST with its body. JSON, but for the table of /api/v1/queue.csv.
  std::string get(const Target& target);
  std::string post(const Target& target, const std::string& body);
  // The workers that should call these; null if the answer takes no time and any thread may.
  Workers* workers_for(const Target& target);
  // The reason why scoring failed; "" if it did not.
  std::string failure() const;
  // To be called for every answer of the server.
  void count_answer(int status);
  static bool is_table(const Target& target);

 private:
  using Json = report::Json;
  bool scoring_done() const;
  const NodeAnswers& scored() const;  // waits for it; an ApiError (503) if it failed
  Json about_all(const std::string& what, Parameters& parameters) const;
  Json about_node(const std::string& id, const std::string& what, Parameters& parameters) const;
  Json health() const;
  Json model() const;
  Json metrics() const;
  double uptime() const;

  std::string version_;
  std::string name_;  // of the run's folder
  Predictor predictor_;
  FeatureColumns columns_;
  Dataset data_;
  Features raw_;  // as loaded
  bool directed_;
  std::vector<std::string> classes_;
  double threshold_;  // of binary and multi-label predictions
  std::unique_ptr<const NodeAnswers> scored_;
  std::shared_future<void> scoring_;
  Workers score_workers_, path_workers_;
  std::unique_ptr<Service> other_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();  // ready to answer
  std::atomic<int64_t> requests_ = 0, errors_ = 0;
};

}  // namespace geniepath::serve
