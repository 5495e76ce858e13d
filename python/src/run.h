// A trained run: its model, its data once asked for, and everything computed on it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "geniepath/explain.h"
#include "geniepath/explanation_writer.h"
#include "geniepath/predictor.h"

namespace geniepath::python {

class PyRun;

// An explanation and, once asked for, its reasons.
class PyExplanation {
 public:
  PyExplanation(std::shared_ptr<const PyRun> run, Explanation explanation)
      : run_(std::move(run)), explanation_(std::move(explanation)) {}

  std::string json() const;
  std::string svg(int64_t layer) const;
  std::string html(int64_t layer) const;

 private:
  const ReasonTexts& reasons() const;

  struct Known {
    std::once_flag once;
    ReasonTexts reasons;
  };
  std::shared_ptr<const PyRun> run_;
  Explanation explanation_;
  std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

// Rows of tables that came after training, with their scores.
struct PyScoredRows {
  std::vector<std::string> ids, types, notes;
  at::Tensor probabilities;
};

class PyRun : public std::enable_shared_from_this<PyRun> {
 public:
  PyRun(const std::string& folder, const std::string& device);

  const Predictor& predictor() const { return predictor_; }
  const Dataset& data() const;  // read on first use
  double threshold() const;     // Predictor::threshold(); reads the data if the run was never finished
  const Explainer& explainer() const;  // on the CPU
  const ExplanationWriter& writer() const;

  NodeId find(const std::string& id) const;  // an Error for an unknown one
  PyExplanation explain(NodeId node, const ExplainOptions& options) const;
  // Probabilities of new nodes, from raw features and edges [2, E]; N + m stands for new node m.
  at::Tensor score(const at::Tensor& features, const at::Tensor& edges, bool directed) const;
  // Scores of the rows of tables; `options`: JSON of the table options that differ from the run's, nodes and edges
  // among them.
  PyScoredRows score_tables(const std::string& options) const;
  // Weights for best.safetensors; this object keeps those it was loaded with.
  void save_weights(const std::map<std::string, at::Tensor>& weights) const;

 private:
  RunFolder folder_;
  at::Device device_;
  Predictor predictor_;
  mutable std::recursive_mutex mutex_;  // of what is made on first use
  mutable std::unique_ptr<const Dataset> data_;
  mutable std::optional<double> threshold_;
  mutable Features raw_;  // its features before their preparation
  mutable std::unique_ptr<const Explainer> explainer_;
  mutable std::unique_ptr<const ExplanationWriter> writer_;
};

}  // namespace geniepath::python
