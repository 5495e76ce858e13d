#include "geniepath/train.h"

namespace geniepath {

void set_walk_defaults(Recipe& recipe) {
  recipe.model.hidden = 128;
  recipe.train.epochs = 10;
  recipe.train.learning_rate = 0.025;
}

void set_few_label_defaults(Recipe& recipe, const Dataset& data) {
  set_few_label_defaults(recipe, static_cast<int64_t>(data.train.size()), data.features.num_features());
}

void set_few_label_defaults(Recipe& recipe, int64_t training_nodes, int64_t features) {
  if (training_nodes == 0 || training_nodes >= features) return;
  const auto set = [](double& option, double standard, double usual) {
    if (option == standard) option = usual;
  };
  const Recipe standard;
  set(recipe.model.dropout, standard.model.dropout, 0.5);
  set(recipe.model.input_dropout, standard.model.input_dropout, 0.7);
  set(recipe.train.l2, standard.train.l2, 0.001);
  set(recipe.train.weight_decay, standard.train.weight_decay, 0);
}

}  // namespace geniepath
