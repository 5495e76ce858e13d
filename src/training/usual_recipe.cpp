#include "geniepath/train.h"
#include "training/loss.h"

namespace geniepath {
namespace {

// Replaces an option that still has its default.
void set_usual(double& option, double standard, double usual) {
  if (option == standard) option = usual;
}

std::string more_than(int64_t many, const std::string& of_these, int64_t few, const std::string& of_those) {
  return "more " + of_these + " (" + std::to_string(many) + ") than " + of_those + " (" + std::to_string(few) + ")";
}

}  // namespace

void set_walk_defaults(Recipe& recipe) {
  recipe.model.hidden = 128;
  recipe.train.epochs = 10;
  recipe.train.learning_rate = 0.025;
}

std::string set_few_label_defaults(Recipe& recipe, const Dataset& data) {
  return set_few_label_defaults(
      recipe, {data.task, data.num_classes, data.features.num_features(), static_cast<int64_t>(data.train.size())});
}

std::string set_few_label_defaults(Recipe& recipe, const LabelCounts& labels) {
  if (labels.training_nodes == 0) return "";
  const Recipe standard;
  ModelConfig& model = recipe.model;
  if (labels.training_nodes < labels.features) {
    set_usual(model.dropout, standard.model.dropout, 0.5);
    set_usual(model.input_dropout, standard.model.input_dropout, 0.7);
    set_usual(recipe.train.l2, standard.train.l2, 0.001);
    set_usual(recipe.train.weight_decay, standard.train.weight_decay, 0);
    return more_than(labels.features, "features", labels.training_nodes, "training nodes");
  }
  const int64_t count = labels.training_nodes * (labels.task == Task::kMultiLabel ? labels.classes : 1);
  const int64_t weights = num_parameters(model, labels.features, training::num_outputs(labels.task, labels.classes));
  if (count >= weights) return "";
  set_usual(model.dropout, standard.model.dropout, 0.05);
  return more_than(weights, "weights", count, "labels to learn them from");
}

}  // namespace geniepath
