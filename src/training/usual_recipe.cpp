#include "geniepath/train.h"
#include "training/loss.h"

namespace geniepath {
namespace {

// Replaces an option that still has its default. Returns whether it did.
bool set_usual(double& option, double standard, double usual) {
  if (option != standard) return false;
  option = usual;
  return true;
}

// A number in brackets.
std::string counted(int64_t number) { return " (" + std::to_string(number) + ")"; }

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
    bool replaced = set_usual(model.dropout, standard.model.dropout, 0.5);
    replaced |= set_usual(model.input_dropout, standard.model.input_dropout, 0.7);
    replaced |= set_usual(recipe.train.l2, standard.train.l2, 0.001);
    replaced |= set_usual(recipe.train.weight_decay, standard.train.weight_decay, 0);
    if (!replaced) return "";
    return "more features" + counted(labels.features) + " than training nodes" + counted(labels.training_nodes);
  }
  if (model.model != "geniepath-lazy" || model.residual != Residual::kNone || labels.features == 0) return "";
  const int64_t count = labels.training_nodes * (labels.task == Task::kMultiLabel ? labels.classes : 1);
  const int64_t weights = num_parameters(model, labels.features, training::num_outputs(labels.task, labels.classes));
  if (count >= weights || !set_usual(model.dropout, standard.model.dropout, 0.05)) return "";
  return "fewer labels" + counted(count) + " than " + model.model + " has weights" + counted(weights);
}

}  // namespace geniepath
