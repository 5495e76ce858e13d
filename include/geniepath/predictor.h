// A trained run, for predictions on its own or new data.
#pragma once

#include <memory>
#include <optional>

#include "geniepath/export.h"
#include "geniepath/run.h"

namespace geniepath GENIEPATH_EXPORT {

// The run's model with its best weights, and the preparation of its data. All methods are const: any number of threads
// may use one Predictor. Receptive paths, and scores of nodes outside the graph, come from an Explainer made with its
// model() and prepared data.
class Predictor {
 public:
  // Reads the folder. A missing or damaged run, or one of a newer version, is an Error.
  explicit Predictor(const RunFolder& folder, at::Device device = at::kCPU);

  const RunDescription& description() const { return description_; }
  const std::shared_ptr<const Model>& model() const { return model_; }
  // Threshold of binary and multi-label predictions, as chosen in training; 0.5 if the run was never finished.
  double threshold() const { return recorded_threshold_.value_or(0.5); }
  // The same; if the run was never finished, chosen on this prepared data (decision_threshold()).
  double threshold(const Dataset& data) const;
  bool has_threshold() const { return recorded_threshold_.has_value(); }

  // Loads the run's training data, prepared as for training.
  Dataset load_data() const;
  // The same as read, unprepared. The Error names missing files, and where they were looked for.
  Dataset load_raw_data() const;
  // Prepares other data, as from load_dataset(). The Error says where it does not match the run.
  Dataset prepare(Dataset raw) const;
  // Prepares features of nodes outside the data set, one row per node.
  Features prepare(const Features& raw) const;

  // Probabilities of every node of prepared data, on the CPU: [N, C], [N, L] or [N, 1], by task.
  at::Tensor predict(const Dataset& data) const;
  // Representation of every node, the output layer's input: [N, K], on the CPU.
  at::Tensor embed(const Dataset& data) const;

 private:
  RunDescription description_;
  FittedTransforms transforms_;
  std::shared_ptr<const Model> model_;
  std::optional<double> recorded_threshold_;
};

}  // namespace geniepath
