// A trained run, ready for use on new data.
#pragma once

#include <memory>

#include "geniepath/export.h"
#include "geniepath/run.h"

namespace geniepath GENIEPATH_EXPORT {

// The run's model with its best weights, and the preparation of its data. Const: any number of threads may use one.
// Receptive paths and scores of nodes the graph has never seen come from an Explainer(predictor.model(), data).
class Predictor {
 public:
  explicit Predictor(const RunFolder& folder, at::Device device = at::kCPU);

  const RunDescription& description() const { return description_; }
  const std::shared_ptr<const Model>& model() const { return model_; }
  // What a binary or multi-label prediction must exceed: as training found it; 0.5 where the run was never finished.
  double threshold() const { return threshold_; }

  // The data the run was trained on, prepared as it was then.
  Dataset load_data() const;
  // Other data, as load_dataset() gives it. An Error says where it does not fit the run.
  Dataset prepare(Dataset raw) const;
  // Features of nodes the data set does not have, one row per node.
  Features prepare(const Features& raw) const;

  // Probabilities of every node of prepared data, [N, C], [N, L] or [N, 1] as the task has it.
  at::Tensor predict(const Dataset& data) const;
  // What the model's output layer reads of every node, [N, K].
  at::Tensor embed(const Dataset& data) const;

 private:
  RunDescription description_;
  FittedTransforms transforms_;
  std::shared_ptr<const Model> model_;
  double threshold_;
};

}  // namespace geniepath
