#include <nlohmann/json.hpp>

#include "geniepath/train.h"

namespace geniepath {

using Json = nlohmann::ordered_json;

void TrainConfig::visit(OptionVisitor& options) {
  options.integer("epochs", epochs, {1, 1000000}, "passes over the training nodes");
  options.real("learning-rate", learning_rate, {0, 100}, "step size of Adam");
  options.choice("schedule", schedule, {"constant", "cosine"}, "learning rate over the epochs: steady, or down to 0");
  options.real("l2", l2, {0, 1000}, "L2 penalty on all weights");
  options.real("clip", clip, {0, 1e9}, "largest norm of the gradient; larger ones are shortened (0: never)");
  options.integer("patience", patience, {0, 1000000}, "stop after this many epochs without a better score (0: never)");
  options.choice("metric", metric,
                 {"auto", "accuracy", "f1", "micro_f1", "macro_f1", "roc_auc", "average_precision"},
                 "validation score that picks the best epoch (auto: the data set's own)");
  options.choice("threshold", threshold, {"auto", "0.5", "tuned", "label-count"},
                 "what decides labels: above 0.5, above the threshold that is best on validation nodes, or as many as a "
                 "node truly has (auto: as is usual for the data set)");
  options.integer("batch-graphs", batch_graphs, {0, 1000000}, "whole graphs a step (0: all of them in one)");
  options.choice("class-weights", class_weights, {"auto", "none", "balanced"},
                 "whether rare classes weigh as much as common ones in the loss (auto: in binary tasks)");
  options.choice("objective", objective, {"labels", "walks"},
                 "what the hidden layers learn from: the labels, or random walks alone (then biases are on)");
  options.integer("seed", seed, {0, int64_t{1} << 53},
                  "of weights, dropout and batches; the same seed, the same bits on one machine (with oneDNN, for any number "
                  "of threads)");
}

Json to_json(const Scores& scores) {
  Json object;
  for (const std::string& name : Scores::names()) {
    if (scores.ranked || (name != "roc_auc" && name != "average_precision")) object[name] = scores.by_name(name);
  }
  return object;
}

Json SplitScores::to_json() const {
  Json object{{"protocol", to_string(protocol)}};
  if (protocol != Protocol::kLabelCount) object["threshold"] = threshold;
  object["valid"] = geniepath::to_json(valid);
  object["test"] = geniepath::to_json(test);
  return object;
}

Json to_json(const std::vector<SplitScores>& protocols) {
  Json list = Json::array();
  for (const SplitScores& scores : protocols) list.push_back(scores.to_json());
  return list;
}

Json EpochRecord::to_json() const {
  const bool scored = !valid.classes.empty();
  return {{"epoch", epoch},
          {"loss", loss},
          {"learning_rate", learning_rate},
          {"gradient_norm", gradient_norm},
          {"valid", scored ? geniepath::to_json(valid) : Json::object()},
          {"best", best},
          {"seconds", seconds}};
}

}  // namespace geniepath
